"""A host that says nothing any more: the database's and the broker's are given up after seconds."""

from __future__ import annotations

import os
import socket
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import psycopg
import pytest
from django.conf import settings
from django.db import connection
from redis import Redis
from redis.exceptions import RedisError

from casino.engine.processes import silence
from casino.engine.processes.silence import BROKER
from tests import services
from tests.faults.links import Link, linked

if TYPE_CHECKING:
    from collections.abc import Iterator

ON_POSTGRESQL = connection.vendor == "postgresql"
BEYOND = 4.0  # seconds, on a busy machine
LOCK = "SELECT pg_advisory_xact_lock(18)"
of_postgresql = pytest.mark.skipif(not ON_POSTGRESQL, reason="SQLite has no host")
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="who drops packets is Linux")


@of_postgresql
@pytest.mark.django_db
def test_both_sides_of_a_connection_look_after_the_other() -> None:
    said = dict.fromkeys(("tcp_keepalives_idle", "tcp_user_timeout", "statement_timeout"), "")
    with connection.cursor() as cursor:
        for name in said:
            cursor.execute(f"SHOW {name}")
            [said[name]] = cursor.fetchone()

    assert said == {
        "tcp_keepalives_idle": str(silence.IDLE),
        "tcp_user_timeout": str(1000 * silence.SILENCE),
        "statement_timeout": "0",  # a query that takes long is no silence
    }
    assert connection.connection is not None
    with socket.socket(fileno=os.dup(connection.connection.fileno())) as ours:
        assert ours.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
        patience = ours.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)
    assert patience == 1000 * silence.SILENCE


@of_postgresql
@pytest.mark.django_db
def test_who_only_reads_looks_after_the_database_too() -> None:
    options = settings.DATABASES["reader"]["OPTIONS"]

    assert silence.POSTGRESQL["options"] in options["options"]
    assert options["tcp_user_timeout"] == 1000 * silence.SILENCE


@of_postgresql
@pytest.mark.django_db
def test_who_writes_does_not_sit_in_a_transaction_for_long() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SHOW idle_in_transaction_session_timeout")
        assert cursor.fetchone() == (f"{silence.IDLE_IN_TRANSACTION}s",)


def test_what_the_address_says_goes_first() -> None:
    from casino.config.environment import postgresql  # noqa: PLC0415 - as another address would have it

    given = postgresql("postgresql://a:b@c/d?connect_timeout=30&options=-c%20tcp_user_timeout=0")

    assert given["OPTIONS"]["connect_timeout"] == 30
    assert given["OPTIONS"]["options"] == "-c tcp_user_timeout=0"
    assert given["OPTIONS"]["keepalives_idle"] == silence.IDLE


@pytest.mark.long
@of_postgresql
@on_linux
@pytest.mark.django_db
def test_who_asks_a_database_that_is_gone_is_told_so() -> None:
    with to_the_database() as (link, asks):
        link.halve(gone=1)

        with pytest.raises(psycopg.OperationalError), within(silence.SILENCE):
            asks.execute("SELECT 1")


@pytest.mark.long
@of_postgresql
@on_linux
@pytest.mark.django_db
def test_the_locks_of_a_program_that_is_gone_are_let_go() -> None:
    with to_the_database() as (link, gone), connection.cursor() as cursor:
        gone.execute(LOCK)
        link.halve(gone=0)

        with within(silence.SILENCE):
            cursor.execute(LOCK)


@pytest.mark.long
@on_linux
@pytest.mark.parametrize("fails", ["halve", "darken"])
def test_who_asks_a_broker_that_is_gone_is_told_so(fails: str) -> None:
    with (
        services.redis() as address,
        linked(link := Link("to the broker", urlsplit(address).port or 0, loses=0)),
        Redis.from_url(address.replace(f":{link.upstream}/", f":{link.port}/"), **BROKER) as asks,
    ):
        assert asks.ping()
        link.halve(gone=1) if fails == "halve" else link.darken(dark=True)
        time.sleep(0.1)

        with pytest.raises(RedisError), within(BROKER["socket_timeout"]):
            asks.ping()


def test_workers_and_those_who_wake_them_wait_as_long() -> None:
    options = settings.CELERY_BROKER_TRANSPORT_OPTIONS

    if settings.CELERY_BROKER_URL.startswith("redis"):
        assert BROKER.items() <= options.items()
        assert options["health_check_interval"] == silence.HEALTH_CHECK


@contextmanager
def to_the_database() -> Iterator[tuple[Link, psycopg.Connection[Any]]]:
    """A connection as the house makes them, over a link that can fail."""
    at = connection.settings_dict
    with linked(link := Link("to the database", int(at["PORT"]), loses=0)):
        fields = {**at["OPTIONS"], "host": "127.0.0.1", "port": link.port, "dbname": at["NAME"]}
        fields = {name: value for name, value in fields.items() if name != "assume_role"}
        asks: psycopg.Connection[Any] = psycopg.connect(
            user=at["USER"], password=at["PASSWORD"], **fields
        )
        try:
            yield link, asks
        finally:
            asks.close()


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """:raises AssertionError: if it takes longer than that, and what a busy machine adds."""
    began = time.monotonic()
    try:
        yield
    finally:
        assert time.monotonic() - began < seconds + BEYOND
