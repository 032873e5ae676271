"""No query of finding, what-if or reports reads a table from end to end: each has its index."""

from __future__ import annotations

import re
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from casino.house.attendants.models import Role
from casino.kit.web.jobs import running
from casino.proof.disputes.regrade import reading
from casino.proof.disputes.regrade.reading import Period
from casino.proof.search import rounds
from casino.proof.search.models import RoundAmount
from casino.proof.search.rounds import Criteria
from casino.reports.gaming_days import closing
from casino.reports.registers import history
from casino.reports.what_if import runs
from casino.reports.what_if.models import WhatIf
from tests.proof.search.test_search_rounds import read, rounds_of
from tests.proof.search.test_search_searches import addresses
from tests.reports.what_if.test_what_if_runs import begun, finished, signed_in
from tests.support import builders
from tests.support.playing import NOW, opened

if TYPE_CHECKING:
    import uuid

    from tests.support.builders import House

pytestmark = pytest.mark.django_db
GROWS = frozenset({
    "ledger_event", "ledger_transfer", "ledger_commandreceipt", "search_eventblock",
    "search_eventterm",
    "search_roundline", "search_roundperson", "search_roundamount", "play_gamecard",
    "settlement_payout", "disputes_seated", "jobs_job", "what_if_whatifgame",
})  # fmt: skip
"""Tables that grow with what is played and asked; those of a house's things do not."""
OF_FEW = "one_job_of_a_kind_at_a_time"  # holds what is on its way alone: one of a kind and house


def plans(queries: CaptureQueriesContext) -> list[tuple[str, str]]:
    """
    Each query, and how the database goes about it where no table is too small for an index.

    Asked in a savepoint that is taken back, and with it what asking sets for the rest of a
    transaction: that indexes are preferred, and with Citus that nothing is read without a
    connection any more, the coordinator's own copies neither. After those were written it refuses.
    """
    postgresql = connection.vendor == "postgresql"
    asked = [query["sql"] for query in queries if query["sql"].startswith("SELECT")]
    found = []
    with transaction.atomic(), connection.cursor() as cursor:
        if postgresql:
            cursor.execute("SET LOCAL enable_seqscan = off")
        for sql in asked:
            cursor.execute(("EXPLAIN " if postgresql else "EXPLAIN QUERY PLAN ") + sql)
            found.append((sql, "\n".join(str(row[-1]) for row in cursor.fetchall())))
        transaction.set_rollback(True)
    return found


def scanned(plan: str) -> set[str]:
    """The growing tables that a plan reads from end to end."""
    plan = "\n".join(line for line in plan.splitlines() if OF_FEW not in line)
    if connection.vendor == "postgresql":
        return set(GROWS) & set(re.findall(r"Seq Scan on (\w+)", plan))
    return set(GROWS) & set(re.findall(r"^SCAN (\w+)", plan, re.MULTILINE))


def unkeyed(plan: str) -> set[str]:
    """The growing tables of which an index is read from end to end, without a key."""
    if connection.vendor != "postgresql":
        return set()  # as `scanned`: SQLite calls both SCAN
    lines = [line for line in plan.splitlines() if OF_FEW not in line]
    return {
        node[1]
        for line, below in pairwise([*lines, ""])
        if (node := re.search(r"Index(?: Only)? Scan .*?on (\w+)", line))
        and node[1] in GROWS
        and "Index Cond" not in below
    }


@pytest.fixture
def house() -> House:
    return builders.house(tables=2)


@pytest.fixture
def game(house: House) -> uuid.UUID:
    game = opened(house, stake=400)
    rounds_of(house, game, 4)
    read(house)
    return game


def assert_keyed(queries: CaptureQueriesContext, plans_found: Any) -> None:
    for sql, plan in plans(queries):
        assert not scanned(plan) | unkeyed(plan), f"{plans_found}\n{sql}\n{plan}"


def test_games_that_a_day_leaves_are_found_by_their_tables_streams() -> None:
    """By the day SQLite would read all that was ever recorded, once for each table."""
    house = builders.house()
    rounds_of(house, opened(house, stake=400), 8)
    if connection.vendor == "postgresql":  # which goes by how many there are; SQLite does not
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE ledger_event")

    with CaptureQueriesContext(connection) as queries:
        found = closing.running_games(house.establishment, NOW.date())

    read = [plan for sql, plan in plans(queries) if "stream_version" in sql]
    assert found
    assert read
    assert not any("ledger_event_day" in plan for plan in read)


def test_no_page_of_finding_reads_a_table_from_end_to_end(house: House, game: uuid.UUID) -> None:
    client = builders.signed_in(house.auditor)
    client.get(reverse("games"))
    seen = []
    for address, asked in addresses(house, game):
        with CaptureQueriesContext(connection) as queries:
            client.get(address, asked)
        seen.append((queries, (address, asked)))
    for queries, whose in seen:  # last: Citus explains where it no longer reads in this transaction
        assert_keyed(queries, whose)


@pytest.mark.parametrize("model", [RoundAmount])
@pytest.mark.usefixtures("game")
def test_an_amount_that_many_rounds_had_is_met_without_a_scan(
    house: House, model: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where more rows fit than a page looks at, rounds are read instead, the latest first."""
    assert model.objects.filter(establishment=house.id).exists()
    monkeypatch.setattr(rounds, "WINDOW", 1)
    with CaptureQueriesContext(connection) as queries:
        rounds.find(house.establishment, Criteria(least=1))
    assert_keyed(queries, "least")


@pytest.mark.usefixtures("game")
@pytest.mark.parametrize("asked", [history.of_streams, partial(history.events, types=["a", "b"])])
def test_what_reports_read_of_a_stream_is_found_by_the_stream(house: House, asked: Any) -> None:
    """By the ledger's order it would be found, too: in all of the ledger, whatever is in it."""
    with CaptureQueriesContext(connection) as queries:
        asked(house.establishment, streams=["record/establishment"], through=10**6)

    [(_sql, plan)] = plans(queries)
    assert not scanned(plan)
    by = "stream=?" if connection.vendor == "sqlite" else r"(stream)::text = "
    assert by in plan


def test_no_page_nor_step_of_a_what_if_reads_a_table_from_end_to_end(house: House) -> None:
    run = begun(house)
    day = NOW.date()
    with CaptureQueriesContext(connection) as queries:
        finished(run)
        for period in (Period(), Period(day, None), Period(None, day), Period(day, day)):
            reading.stretch(house.id, period)
        list(running.jobs_without_step(NOW))
        running.stop(runs.WHAT_IF, by=house.manager, house=house.establishment, job=run.id, now=NOW)
        client = signed_in(house, Role.MANAGER)
        client.get(reverse("what-if"))
        for more in ({}, {"only": "undecided"}, {"only": "decided", "after": "3"}):
            client.get(reverse("what-if-one", args=[run.id]), more)
    assert WhatIf.objects.filter(establishment=house.id).count() == 1
    assert_keyed(queries, "what if")
