"""
``python -m bench.partitions --events 2000000``: a long ledger as one table, and in pieces.

Some evenings are really played; for sizes they are copied in SQL behind themselves, until the
ledger is that long. Then it is measured as one table, in pieces, and as one table again: bytes of
each index, processor time of an append at the head of that house, VACUUM and freezing with their
WAL, and the verification of a house that was really played. What a ledger of 10^8 and 10^9 events
takes is reckoned from that.
"""

from __future__ import annotations

import argparse
import io
import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any, Final

import django

from bench import database
from bench.figures import Table

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID

FORMS: Final = ("one table", "in pieces", "one table again")
AGAIN: Final = "FREEZE, DISABLE_PAGE_SKIPPING FALSE"  # the same, under a name of its own
TIMES: Final = 1000  # appends of a round
ROUNDS: Final = 3
RECKONED: Final = (10**8, 10**9)


def main() -> None:
    parser = argparse.ArgumentParser(description="Prints tables; see bench/README.md.")
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--played", type=int, default=1_200, help="events that are really played")
    parser.add_argument("--step", type=int, default=1_000_000)
    parser.add_argument("--parts", type=int, default=16)
    parser.add_argument("--on", choices=["disk", "memory"], default="disk")
    options = parser.parse_args()
    with database.opened("postgresql", options.on) as opened:
        os.environ.update(opened.environment, SECOND_FACTOR="offered")
        manage("migrate", "--database=owner", "--verbosity=0")
        django.setup()
        measured(options)


def manage(*words: str) -> float:
    """Seconds of a command."""
    began = time.perf_counter()
    subprocess.run([sys.executable, "manage.py", *words], check=True)
    return time.perf_counter() - began


def measured(options: argparse.Namespace) -> None:
    from django.db import connections  # noqa: PLC0415 - once Django is set up

    from bench.work import pieces  # noqa: PLC0415
    from bench.work.years import filled  # noqa: PLC0415
    from casino.house.establishments.models import Establishment  # noqa: PLC0415
    from tests.support import builders  # noqa: PLC0415

    houses: list[UUID] = []
    for more in range(2):  # one that stays as it was played, and one that grows
        filled(events=options.played + more, evening=300, evenings=1, tables=4, seed=7,
               on_progress=lambda *_: None)  # fmt: skip
        newest = Establishment.objects.exclude(pk__in=houses).get()
        builders.on_record(newest)
        houses.append(newest.pk)
    played, long = houses
    note(f"two houses played; {options.events:,} events are copied")
    owner = connections["owner"]
    began = time.perf_counter()
    events = pieces.lengthened(owner, long, options.events)
    note(f"{events:,} events after {time.perf_counter() - began:.0f} s")
    found: dict[str, dict[str, Any]] = {}
    for form in FORMS:
        took = 0.0
        if form != FORMS[0]:
            pieces.left()
            words = ["--undo"] if form == FORMS[2] else [f"--parts={options.parts}"]
            took = manage("partition", "--database=owner", f"--step={options.step}", *words)
        found[form] = of_form(form, played, long)
        found[form]["took"] = took
        note(f"{form}: {found[form]}")
    for each in (of_sizes(found, events), of_costs(found), reckoned(found, events, options)):
        print(f"{each}\n", flush=True)


def of_form(form: str, played: Any, long: Any) -> dict[str, Any]:
    from django.core.management import call_command  # noqa: PLC0415 - once Django is set up
    from django.db import connections  # noqa: PLC0415

    from bench.work import pieces  # noqa: PLC0415

    owner = connections["owner"]
    found: dict[str, Any] = {"sizes": pieces.sizes(owner)}
    table = "ledger_event"
    if form == FORMS[1]:
        with owner.cursor() as cursor:
            cursor.execute(
                "SELECT relid::regclass::text FROM pg_partition_tree('ledger_event')"
                " WHERE isleaf ORDER BY pg_relation_size(relid) DESC LIMIT 1"
            )
            [table] = cursor.fetchone()
    # As autovacuum would: what has come is frozen at once in pieces, and later in one table.
    for how in ("FREEZE FALSE", "FREEZE", AGAIN):
        found[how] = pieces.vacuumed(owner, table, how)
    found["frozen"] = pieces.frozen(owner)[:4]
    found["append"] = pieces.appended(long, times=TIMES, rounds=ROUNDS)
    began, said = time.process_time(), io.StringIO()
    try:
        call_command("verify_ledger", establishment=[str(played)], stdout=said)
    except SystemExit:
        note(said.getvalue()[:1000])
    found["verify"] = time.process_time() - began
    return found


def of_sizes(found: Mapping[str, Mapping[str, Any]], events: int) -> Table:
    table = Table(
        f"`ledger_event`, {events:,} events: bytes an event",
        ("", "one table", "in pieces", "MB of the largest, one table", "in pieces"),
    )
    for name in found[FORMS[0]]["sizes"]:
        sizes = [found[form]["sizes"][name] for form in FORMS[:2]]
        each = [f"{every / events:,.0f}" for _, every, _ in sizes]
        table.add(name, *each, *(f"{one / 1e6:,.0f}" for *_, one in sizes))
    return table


def of_costs(found: Mapping[str, Mapping[str, Any]]) -> Table:
    table = Table("What is done with it", ("", *FORMS))
    for what, label in (("server", "PostgreSQL"), ("client", "Python"), ("clock", "by the clock")):
        least = [min(each[what] for each in found[form]["append"]) for form in FORMS]
        table.add(f"an append, µs, {label}", *(f"{each:,.0f}" for each in least))
    for how, label in (
        ("FREEZE FALSE", "VACUUM"),
        ("FREEZE", "freezing"),
        (AGAIN, "freezing once more"),
    ):
        each = [found[form][how] for form in FORMS]
        table.add(f"{label}, s of processor", *(f"{one['seconds']:.2f}" for one in each))
        table.add(f"{label}, MB of WAL", *(f"{one['wal'] / 1e6:,.1f}" for one in each))
    verified = (f"{found[form]['verify']:.1f}" for form in FORMS)
    table.add("a whole house verified, s of processor", *verified)
    table.add("made so, s", *(f"{found[form]['took']:.0f}" for form in FORMS))
    table.notes.append("VACUUM and freezing in pieces: of the largest piece.")
    return table


def reckoned(
    found: Mapping[str, Mapping[str, Any]], events: int, options: argparse.Namespace
) -> Table:
    """Straight lines through what was measured: rows, and so bytes and pages, are what grows."""
    sizes = found[FORMS[0]]["sizes"]
    each = sum(every for _, every, _ in sizes.values()) / events
    rows = {index: sum(every for is_index, every, _ in sizes.values() if is_index is index) / events
            for index in (False, True)}  # fmt: skip
    freeze = found[FORMS[0]]["FREEZE"]["seconds"] + found[FORMS[0]]["FREEZE FALSE"]["seconds"]
    table = Table("Reckoned", ("events", *(f"{many:.0e}" for many in RECKONED)))
    table.add("GB in all", *(f"{each * many / 1e9:,.0f}" for many in RECKONED))
    table.add("GB of rows", *(f"{rows[False] * many / 1e9:,.0f}" for many in RECKONED))
    table.add("GB of indexes", *(f"{rows[True] * many / 1e9:,.0f}" for many in RECKONED))
    table.add("one table: minutes of a VACUUM that freezes all",
              *(f"{freeze * many / events / 60:,.0f}" for many in RECKONED))  # fmt: skip
    table.add("pieces", *(f"{many // options.step:,}" for many in RECKONED))
    piece = found[FORMS[1]]["FREEZE"]["seconds"] + found[FORMS[1]]["FREEZE FALSE"]["seconds"]
    table.add("in pieces: seconds of one, once in its life", *(f"{piece:.2f}" for _ in RECKONED))
    return table


def note(text: str) -> None:
    sys.stderr.write(f"{time.strftime('%H:%M:%S')} {text}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    main()
