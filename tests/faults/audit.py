"""
Looks at a house after a run: ``python -m tests.faults.audit drained|checked FOLDER HOUSE…``.

``drained`` waits until everything is settled and projected. ``checked`` holds all that clients were
told against the ledger, and the ledger against itself. Either says lines of JSON: of which
``house`` it is, ``problems`` by what was looked at, and ``figures``.
"""

from __future__ import annotations

import json
import sys
import time
import traceback
from collections import Counter, defaultdict
from contextlib import suppress
from hashlib import sha256
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID

import django

django.setup()

from django.core.management import CommandError, call_command, get_commands  # noqa: E402  Django is up now

from casino.engine.logs.health.models import WorkerSign  # noqa: E402
from casino.house.acts.game_streams.loading import GameKey, load  # noqa: E402
from casino.house.attendants.models import Employment, Role  # noqa: E402
from casino.house.establishments.models import Establishment  # noqa: E402
from casino.money.payouts import pot_equation as pots  # noqa: E402
from casino.play.core import queries, rollover_delivery  # noqa: E402
from casino.play.core.subscriptions import tasks  # noqa: E402
from ledger import subscriptions  # noqa: E402
from ledger.models import Account, CommandReceipt, Event  # noqa: E402
from tests.faults import acknowledged, trees  # noqa: E402
from tests.processes import PATIENCE  # noqa: E402
from tests.support import books  # noqa: E402
from tests.support.builders import House  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from datetime import datetime

MOST = 20  # sentences that are told of one thing; the others are counted
UNHEARD = "Whatever beat sends, no worker does it."
CHUNK = 2000  # rows that are read in one go


def drained(houses: frozenset[UUID]) -> dict[str, Any]:
    """
    Wait until no subscriber lags, no game awaits coins, and beat was heard by a worker again.

    However much was played faster than followed: it is a problem where nothing goes on any more.
    """
    began, signs = time.monotonic(), _signs()
    seconds, last, moved = 0.0, list[str](), began
    while behind := [*_behind(houses), *([] if _signs() != signs else [UNHEARD])]:
        if behind != last:
            last, moved = behind, time.monotonic()
        if time.monotonic() > moved + PATIENCE:
            return {"house": "", "problems": {"drained": _most(behind)}, "figures": {}}
        if behind != [UNHEARD]:
            seconds = time.monotonic() - began
        time.sleep(0.2)
    return {"house": "", "problems": {}, "figures": {"seconds_to_drain": round(seconds, 1)}}


def _signs() -> list[tuple[str, datetime]]:
    """Of life: what workers were last asked by beat to say."""
    return list(WorkerSign.objects.order_by("queue", "worker").values_list("worker", "seen_at"))


def _behind(houses: frozenset[UUID]) -> list[str]:
    lags = [
        f"{each.subscription} is {each.lag} events behind at {each.establishment}."
        for each in subscriptions.lagging(tasks.SUBSCRIBERS)
        if each.establishment in houses
    ]
    waiting = houses & set(rollover_delivery.houses_waiting())
    return [*lags, *(f"A game awaits coins at {each}." for each in sorted(waiting))]


def checked(house: UUID, folder: Path) -> dict[str, Any]:
    journal = [line for file in sorted(folder.glob("player-*.jsonl")) for line in _lines(file)]
    handed_out = [line["note"] for line in _lines(folder / "checkpoints.jsonl")]
    at = _house(house)
    games = [
        UUID(stream.partition("/")[2])
        for stream in Event.objects.filter(
            establishment=house, stream__startswith="game/", stream_version=1
        ).values_list("stream", flat=True)
    ]
    looks: dict[str, Callable[[], Iterable[str]]] = {
        "acknowledged": lambda: acknowledged.compared(house, journal),
        "ledger": lambda: _ledger(house),
        "receipts": lambda: _receipts(house),
        "money": lambda: _money(house),
        "books": lambda: _held(lambda: books.hold_at_every_moment(at)),
        "settled once": lambda: _held(lambda: books.are_the_rules_result(at, games)),
        "pots": lambda: _pots(house, games),
        "regrade": lambda: _regraded(house),
        "projections": lambda: _projections(house),
        "checkpoints": lambda: _checkpoints(house, handed_out),
    }
    problems = {name: found for name, look in looks.items() if (found := _few(look))}
    states = [queries.state(load(GameKey(house, game))) for game in games]
    figures = {
        **acknowledged.figures(journal),
        "events": Event.objects.filter(establishment=house).count(),
        "games": len(games),
        "rounds": sum(len(state["rounds"]) for state in states),
        "by_game": dict(Counter(state["game"] for state in states)),
        "checkpoints": len(handed_out),
        "checkpoints_different": len(set(handed_out)),
    }
    return {"house": str(house), "problems": problems, "figures": figures}


def _few(look: Callable[[], Iterable[str]]) -> list[str]:
    try:
        found = list(look())
    except Exception:  # noqa: BLE001 - the other looks are taken all the same
        found = [traceback.format_exc()]
    return _most(found)


def _most(found: list[str]) -> list[str]:
    more = len(found) - MOST
    return [*found[:MOST], *([f"... and {more} more."] if more > 0 else [])]


def _lines(file: Path) -> Iterator[dict[str, Any]]:
    if file.exists():
        with file.open(encoding="utf-8") as written:
            yield from map(json.loads, written)


def _house(house: UUID) -> House:
    establishment = Establishment.objects.get(pk=house)
    return House(
        establishment=establishment,
        tables=list(establishment.tables.all()),
        dice_sets=list(establishment.dice_sets.all()),
        people={
            Role(each.role): each.attendant
            for each in Employment.objects.filter(establishment=establishment)
        },
    )


def _events(house: UUID) -> Iterator[Event]:
    rows = Event.objects.filter(establishment=house).order_by("position")
    return rows.iterator(chunk_size=CHUNK)


def _ledger(house: UUID) -> Iterator[str]:
    """Positions, versions and places in an answer without gaps; leaves and columns as bodies."""
    versions: Counter[str] = Counter()
    answers: Counter[str] = Counter()
    for expected, event in enumerate(_events(house)):
        body = bytes(event.body)
        versions[event.stream] += 1
        answers[str(event.command_id)] += 1
        if event.position != expected:
            yield f"Position {expected} is missing: {event.position} follows."
            return
        if bytes(event.leaf_hash) != sha256(b"\x00" + body).digest():
            yield f"{event}: its leaf hash is not its body's."
        if event.stream_version != versions[event.stream]:
            yield f"{event}: version {event.stream_version} where {versions[event.stream]} is due."
        if event.command_seq != answers[str(event.command_id)] - 1:
            yield f"{event}: place {event.command_seq} in the answer to {event.command_id}."
        data = json.loads(body)
        columns = ("event_id", "stream", "stream_version", "event_type", "command_id", "actor")
        if any(str(data[name]) != str(getattr(event, name)) for name in columns):
            yield f"{event}: its columns are not what its body says."


def _receipts(house: UUID) -> Iterator[str]:
    """Numbered without a gap; every event stands in exactly one, with its command's others."""
    spans = {}
    rows = CommandReceipt.objects.filter(establishment=house).order_by("seq")
    for expected, row in enumerate(rows.iterator(chunk_size=CHUNK)):
        if row.seq != expected:
            yield f"Receipt {expected} is missing: {row.seq} follows."
            return
        spans[row.command_id] = (row.first_position, row.last_position)
    for event in _events(house):
        first, last = spans.get(event.command_id, (None, None))
        if first is None or last is None or not first <= event.position <= last:
            yield f"{event}: the receipt of its command is of {first} to {last}."


def _money(house: UUID) -> Iterator[str]:
    """The accounts are the fold of the bodies, and nothing else."""
    debits: defaultdict[str, int] = defaultdict(int)
    credits_: defaultdict[str, int] = defaultdict(int)
    for event in _events(house):
        for transfer in json.loads(bytes(event.body))["transfers"]:
            debits[transfer["debit"]] += transfer["amount"]
            credits_[transfer["credit"]] += transfer["amount"]
    rows = Account.objects.filter(establishment=house)
    kept = {str(row): (row.debits, row.credits) for row in rows}
    for name in sorted(kept.keys() | debits.keys() | credits_.keys()):
        folded = (debits[name], credits_[name])
        if kept.get(name, (0, 0)) != folded:
            yield f"{name} holds {kept.get(name)} where the events make {folded}."


def _held(what: Callable[[], None]) -> Iterator[str]:
    try:
        what()
    except AssertionError as wrong:
        yield "".join(traceback.format_exception(wrong)[-2:])


def _pots(house: UUID, games: list[UUID]) -> Iterator[str]:
    """A1."""
    for game in games:
        equation = pots.of_game(house, game)
        if not equation.adds_up:
            yield f"The pot of {game}: {equation.terms()}."


def _regraded(house: UUID) -> Iterator[str]:
    """Every payout is what the rules give for its throws (E4), and none waits."""
    output = StringIO()
    with suppress(SystemExit):  # it says what it found
        call_command("regrade", establishment=[str(house)], workers=1, json=True, stdout=output)
    for line in map(json.loads, output.getvalue().splitlines()):
        if line["what"] != "figures":
            yield json.dumps(line)


def _projections(house: UUID) -> Iterator[str]:
    """As they stand, they are what reading the ledger from the start makes of them."""
    yield from _called("rebuild", check=True, establishment=str(house))


def _checkpoints(house: UUID, handed_out: list[str]) -> Iterator[str]:
    if not handed_out:
        yield "Not one was handed out, so none could be compared."
        return
    receipts = CommandReceipt.objects.filter(establishment=house).order_by("seq")
    yield from trees.compared(
        sorted(set(handed_out)),
        (bytes(event.body) for event in _events(house)),
        (_answer(row) for row in receipts.iterator(chunk_size=CHUNK)),
    )


def _answer(row: CommandReceipt) -> bytes:
    """A receipt as the chain hashes it: RFC 8785, written down here once more."""
    fields = {
        "command_id": str(row.command_id),
        "request_hash": bytes(row.request_hash).hex(),
        "first_position": row.first_position,
        "last_position": row.last_position,
        "refusal_code": row.refusal_code,
        "refusal_detail": row.refusal_detail,
        "actor": row.actor,
        "recorded_at": f"{row.recorded_at:%Y-%m-%dT%H:%M:%S.%f}Z",
    }
    return json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def _called(command: str, **options: Any) -> Iterator[str]:
    """What a command of the house says where it finds something; nothing where it does not."""
    if command not in get_commands():
        yield f"There is no manage.py {command}."
        return
    output = StringIO()
    try:
        call_command(command, stdout=output, stderr=output, **options)
    except (CommandError, SystemExit) as found:
        yield f"{found}\n{output.getvalue()}"


def main(what: str, folder: str, *houses: str) -> None:
    if what == "drained":
        print(json.dumps(drained(frozenset(map(UUID, houses)))))  # noqa: T201 - the answer
        return
    for house in houses:
        print(json.dumps(checked(UUID(house), Path(folder) / house)))  # noqa: T201


if __name__ == "__main__":
    main(*sys.argv[1:])
