"""Addresses of the database: several hosts, a pooler and what goes past it, a reader."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from casino.config import environment
from casino.engine.processes import silence

pytestmark = pytest.mark.once
THREE = "postgresql://house:s%40crt@one:6001,[::1]:6002,three/book"
POOLED = {
    "DATABASE_URL": "postgresql://house:secret@pooler:6432/book",
    "DATABASE_DIRECT_URL": "postgresql://house:secret@one,two/book",
    "DATABASE_POOLER": "transaction",
}


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A production house's environment, to be filled."""
    for name in (
        "DATABASE_URL",
        "DATABASE_DIRECT_URL",
        "DATABASE_READER_URL",
        "DATABASE_POOLER",
        "DATABASE_REPLICA_URL",
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(environment, "PRODUCTION", True)
    return monkeypatch


def test_several_hosts_are_libpqs_lists() -> None:
    config = environment.postgresql(THREE)

    assert (config["HOST"], config["PORT"]) == ("one,::1,three", "6001,6002,5432")
    assert (config["USER"], config["PASSWORD"], config["NAME"]) == ("house", "s@crt", "book")
    assert config["OPTIONS"]["target_session_attrs"] == "read-write"
    assert config["OPTIONS"]["connect_timeout"] == silence.CONNECT


def test_one_host_is_asked_nothing_more() -> None:
    config = environment.postgresql("postgresql://house@one:6001/book")

    assert (config["HOST"], config["PORT"]) == ("one", 6001)
    assert "target_session_attrs" not in config["OPTIONS"]


# fmt: off
READS_AT = [
    # DATABASE_URL,                                   DATABASE_READER_URL,        host,      takes
    ("postgresql://h@one,two/b",                      "",                         "one,two", "primary"),  # noqa: E501 - a row
    ("postgresql://h@one,two/b?target_session_attrs=read-write", "",              "one,two", "primary"),  # noqa: E501 - a row
    ("postgresql://h@one,two/b?target_session_attrs=any", "",                     "one,two", "any"),
    ("postgresql://h@one,two/b",                      "postgresql://h@two/b",     "two",     None),
    ("postgresql://h@one,two/b",                      "postgresql://h@two,one/b", "two,one", "any"),
]
# fmt: on


@pytest.mark.parametrize(("url", "reader", "host", "takes"), READS_AT)
def test_a_session_that_cannot_write_looks_for_no_writable_one(
    given: pytest.MonkeyPatch, url: str, reader: str, host: str, takes: str | None
) -> None:
    """Libpq calls a session read-write only if it may write by default, and this one may not."""
    given.setenv("DATABASE_URL", url)
    given.setenv("DATABASE_READER_URL", reader)

    config = environment.reader()

    assert (config["HOST"], config["OPTIONS"].get("target_session_attrs")) == (host, takes)


def test_each_replica_is_a_connection_that_cannot_write(given: pytest.MonkeyPatch) -> None:
    given.setenv("DATABASE_REPLICA_URL", "postgresql://h@one/b  postgresql://h@two,three/b")

    found = environment.replicas()

    assert {alias: config["HOST"] for alias, config in found.items()} == {
        "replica-1": "one",
        "replica-2": "two,three",
    }
    assert found["replica-2"]["OPTIONS"]["target_session_attrs"] == "standby"
    for config in found.values():
        assert "default_transaction_read_only=on" in config["OPTIONS"]["options"]


def test_without_an_address_there_is_no_replica(given: pytest.MonkeyPatch) -> None:
    given.setenv("DATABASE_URL", "postgresql://h@one/b")

    assert environment.replicas() == {}


def test_through_a_pooler_nothing_is_asked_of_the_session(given: pytest.MonkeyPatch) -> None:
    for name, value in POOLED.items():
        given.setenv(name, value)

    house, direct, reader = environment.house_database(), environment.direct(), environment.reader()

    assert house["POOLER"] == "transaction"
    assert "options" not in house["OPTIONS"]
    assert direct is not None
    assert direct["HOST"] == reader["HOST"] == "one,two"
    assert "POOLER" not in direct.keys() | reader.keys()
    assert "idle_in_transaction_session_timeout" in direct["OPTIONS"]["options"]
    assert "default_transaction_read_only=on" in reader["OPTIONS"]["options"]


def test_without_a_pooler_there_is_no_second_way(given: pytest.MonkeyPatch) -> None:
    given.setenv("DATABASE_URL", "postgresql://h@one/b")

    assert environment.direct() is None


# fmt: off
WRONG = [
    ({"DATABASE_DIRECT_URL": ""},                                 "also needs DATABASE_DIRECT_URL"),
    ({"DATABASE_POOLER": "session"},                              "say transaction, or nothing"),
    ({"DATABASE_URL": "postgresql://h@p/b?options=-c%20a%3D1"},   "ALTER ROLE"),
    ({"DATABASE_URL": "postgresql://h:pa/ss@one/b"},              "%-encoded"),
    ({"DATABASE_URL": "postgresql://h@one:x,two/b"},              "%-encoded"),
    ({"DATABASE_URL": "mysql://h@one,two/b"},                     "only postgresql:// is known"),
    ({"DATABASE_URL": "what://h@one/b"},                          "only postgresql:// is known"),
]
# fmt: on


@pytest.mark.parametrize(("changed", "sentence"), [*WRONG])
def test_a_wrong_address_is_a_sentence_without_the_password(
    given: pytest.MonkeyPatch, changed: dict[str, str], sentence: str
) -> None:
    for name, value in (POOLED | changed).items():
        given.setenv(name, value)

    with pytest.raises(ImproperlyConfigured) as refused:
        environment.house_database()

    assert sentence in str(refused.value)
    assert "pa/ss" not in str(refused.value)
