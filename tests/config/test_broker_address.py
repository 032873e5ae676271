"""The address of the broker, read; with Sentinel it is spelled as kombu spells it."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from kombu import Connection

import casino.config.celery  # noqa: F401 - what it does to kombu is tested
from casino.config import broker
from casino.engine.processes.queues import broker as broker_address
from tests.processes import ROOT, environment

THREE = "sentinel://:p%40ss@one:26379;two;[::1]:7/2?master_name=house"


def test_sentinels_are_named_once_or_as_kombu_repeats_them() -> None:
    short = broker_address.read(THREE)
    repeated = broker_address.read(
        "sentinel://:p%40ss@one:26379/2;sentinel://:p%40ss@two:26379/2;"
        "sentinel://:p%40ss@[::1]:7/2?master_name=house"
    )

    assert short == repeated
    assert short.sentinels == (("one", 26379), ("two", 26379), ("::1", 7))
    assert (short.master, short.database, short.login) == ("house", 2, {"password": "p@ss"})
    assert short.options["master_name"] == "house"


def test_celery_asks_each_of_them_and_returns_nothing_over_a_closed_connection() -> None:
    found = broker_address.read(THREE)
    with Connection(found.celery, transport_options=found.options) as link:
        assert len(link.alt) == len(found.sentinels)
        assert link.transport_cls == "sentinel"
        transport: Any = link.get_transport_cls()

    assert transport is broker.SentinelTransport
    assert transport.Channel.QoS is broker.Unmoved


def test_one_redis_stays_what_it_was() -> None:
    for address in ("redis://:secret@host:6379/0", "rediss://host/1?ssl_cert_reqs=required"):
        found = broker_address.read(address)
        assert (found.celery, found.sentinels, found.options) == (address, (), {})


def test_certificates_hold_for_servers_and_sentinels() -> None:
    found = broker_address.read(f"{THREE}&ssl_ca_certs=/etc/ca.pem&sentinel_password=s")

    assert found.tls == {"ssl_cert_reqs": "required", "ssl_ca_certs": "/etc/ca.pem"}
    own = {**found.of_sentinels}
    assert (own["ssl"], own["ssl_ca_certs"], own["password"]) == (True, "/etc/ca.pem", "s")


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("amqp://:secret@host", "only redis://"),
        ("sentinel://:secret@host:26379", "master_name"),
        ("sentinel://:secret@host:x/0?master_name=house", "cannot be read"),
        ("sentinel://:secret@host/99?master_name=house", "number of a database"),
        ("sentinel://:secret@host/0?master=house", "master is not known"),
        ("sentinel://:secret@/0?master_name=house", "no host"),
    ],
)
def test_what_cannot_be_read_is_said_without_the_password(address: str, says: str) -> None:
    with pytest.raises(broker_address.Unreadable) as refused:
        broker_address.read(address)

    assert says in str(refused.value)
    assert "secret" not in str(refused.value)


def test_the_settings_name_the_variable() -> None:
    env = environment(REDIS_URL="sentinel://host", DJANGO_SETTINGS_MODULE="casino.config.settings")
    said = subprocess.run(
        [sys.executable, "-c", "import django; django.setup()"], cwd=ROOT, env=env,
        capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert "REDIS_URL: sentinels have to be asked for a master" in said.stderr
