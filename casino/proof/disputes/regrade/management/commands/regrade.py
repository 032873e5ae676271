"""`manage.py regrade`: every payout computed once more from its throws."""

from __future__ import annotations

import json
from datetime import date
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError
from django.utils import timezone

from casino.engine.processes import command
from casino.house.attendants.pseudonyms import tokens
from casino.house.establishments.clock import show_as_at
from casino.house.establishments.command_line import NOT_DONE, houses
from casino.play.settlement import payout_holds
from casino.proof.disputes.regrade import reading
from casino.proof.disputes.regrade.findings import Findings
from casino.proof.disputes.regrade.grading import Scope
from casino.proof.disputes.regrade.reading import Period
from casino.proof.disputes.regrade.runs import regrade
from casino.proof.disputes.regrade.worker_pool import Interrupted
from casino.words.languages.amounts import money
from casino.words.languages.messages import translate
from ledger.conflicts import count_of
from ledger.journal import Conflict

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from casino.house.establishments.models import Establishment
    from casino.proof.disputes.regrade.findings import Difference


class Command(BaseCommand):
    help = (
        "Compute every payout once more from its throws, with the rules that its game was opened"
        " under, and compare. A house with differences pays nobody from then on, until two people"
        " resume its payouts (E2); nothing else is written, with --current nothing at all. Exit"
        " status: 0 all is as it should be (with --current: it was done), 1 there are differences,"
        " 2 it could not be done."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        add = parser.add_argument
        add("--establishment", action="append", metavar="NAME|ID", help="default: every house")
        add("--since", type=date.fromisoformat, metavar="YYYY-MM-DD", help="first gaming day")
        add("--until", type=date.fromisoformat, metavar="YYYY-MM-DD", help="last gaming day")
        add("--current", action="store_true", help="by today's rules: information, no error")
        add("--workers", type=int, default=2, help="processes (default 2)")
        add("--json", action="store_true", help="one JSON object a line, the figures last")

    def handle(self, **options: Any) -> None:
        period = Period(options["since"], options["until"])
        if options["workers"] < 1:
            raise CommandError("--workers: one at least.", returncode=NOT_DONE)
        if period.since and period.until and period.since > period.until:
            raise CommandError("--until: the period ends before it begins.", returncode=NOT_DONE)
        try:
            differing = sum(
                self.grade(house, period, options) for house in houses(options["establishment"])
            )
        except (DatabaseError, Interrupted) as error:
            raise CommandError(f"Not done: {error}", returncode=NOT_DONE) from error
        if differing and not options["current"]:
            raise SystemExit(1)

    def grade(self, house: Establishment, period: Period, options: dict[str, Any]) -> int:
        """Regrade a house, print each difference when it is found, and return their number."""
        stretch = reading.stretch(house.pk, period)
        scope = Scope(house.pk, period, stretch, options["current"])
        workers = options["workers"] if len(stretch) > reading.SLICE else 1
        write = self.as_json if options["json"] else self.for_people
        if not options["json"]:
            self.stdout.write(heading(house, period, current=options["current"]))
        whole, differing, done = Findings(), 0, 0
        stopped: dict[str, Any] | None = None
        for span, found in regrade(scope, workers=workers):
            done += len(span)
            command.draw_bar(self.stderr, done / max(1, len(stretch)))
            whole.counted(found)
            differing += len(found.differences)
            try:  # what was found is told before anything else is tried, which may fail
                for what, row in rows(house.pk, found):
                    write(house, what, row)
            finally:  # also if nobody is there to read it
                if found.differences and stopped is None and not scope.current:
                    stopped = payouts_stopped(house)
        command.draw_bar(self.stderr, None)
        if stopped is not None:
            write(house, "payouts", stopped)
        write(house, "figures", {**whole.figures(), "differences": differing})
        return differing

    def as_json(self, house: Establishment, what: str, row: dict[str, Any]) -> None:
        line = {"establishment": str(house.pk), "what": what, what: row}
        self.stdout.write(json.dumps(line, ensure_ascii=False, default=str))

    def for_people(self, house: Establishment, what: str, row: dict[str, Any]) -> None:
        with show_as_at(house):
            self.stdout.write(SENTENCES[what](row))


def payouts_stopped(house: Establishment) -> dict[str, Any]:
    """
    Stop the payouts of a house with differences, at the first finding, as a kept regrade does (E2).

    :return: `stopped`: whether they are stopped; `said`: why not, if this database cannot be
        written.
    """
    try:
        payout_holds.stop_payouts(house, why="regrade", about=str(uuid4()), now=timezone.now())
    except (DatabaseError, Conflict) as error:
        return {"stopped": False, "said": f"{type(error).__name__}: {error}".strip()}
    return {"stopped": True}


def rows(establishment: UUID, found: Findings) -> list[tuple[str, dict[str, Any]]]:
    """The differences and waiting games of a slice, with people's names."""
    differences: list[Difference] = found.differences
    named: list[tuple[str, dict[str, Any]]] = tokens.resolve(
        establishment,
        [
            *(("difference", each.as_dict()) for each in differences),
            *(("waiting", each) for each in found.waiting),
        ],
    )
    return named


# A regrade in words, for people at a terminal.


KINDS = {
    "event": "event of the game",
    "booking": "booking",
    "transfer": "transfer",
    "payout": "payout shown",
    "prize": "prize",
    "points": "scoreboard",
}
WHATS = {
    "altered": "is another",
    "missing": "is missing",
    "unexpected": "should not be there",
    "twice": "is there twice",
    "refused": "is refused by the rules",
    "unreadable": "cannot be read",
}
WAITING = {
    "parked": "its settlement is parked",
    "not_settled": "it is not settled yet",
}


def heading(house: Establishment, period: Period, *, current: bool) -> str:
    days = [f"since {period.since}"] if period.since else []
    days += [f"until {period.until}"] if period.until else []
    rules = "today's rules, for information" if current else "the rules of each game"
    return f"{house}, {' '.join(days) or 'everything'}, by {rules}"


def difference_in_words(row: Mapping[str, Any]) -> str:
    """A difference as a paragraph: place, kind, both sides and their explanations."""
    where = [f"game {row['game']}"] if "game" in row else []
    where += [f"{name} {row[name]}" for name in ("round", "event", "position") if name in row]
    lines = [f"! {KINDS[row['kind']]} {WHATS[row['what']]}: {', '.join(where) or 'the house'}"]
    for side in ("expected", "found"):
        if side in row:
            lines.append(f"    {side}: {json.dumps(row[side], ensure_ascii=False)}")
        if explained := row.get("because", {}).get(side):
            lines += [f"      {sentence}" for sentence in sentences(explained)]
    if "said" in row:
        lines.append(f"    {row['said']}")
    return "\n".join(lines)


def sentences(explained: Mapping[str, Any]) -> list[str]:
    """The sentences of a round's explanation: why it was paid."""
    return [
        translate(explained["because"]),
        *(
            f"{payment['from']} to {payment['to']}: {money(payment['amount'])}."
            f" {translate(payment['because'])}"
            for payment in explained["payments"]
        ),
    ]


def waiting_in_words(row: Mapping[str, Any]) -> str:
    if row["why"] == "not_installed":
        return f"~ game {row['game']} not regraded: package {row['package']} is missing"
    return f"~ game {row['game']} waits from position {row['position']}: {WAITING[row['why']]}"


def payouts_in_words(row: Mapping[str, Any]) -> str:
    if row["stopped"]:
        return "! Payouts of this house are stopped until two people resume them. E2"
    return (
        f"! Payouts of this house are NOT stopped: {row['said']}. Begin a regrade in the house"
        " itself, by the API: it finds the same and stops them. E2"
    )


def figures(row: Mapping[str, Any]) -> str:
    counted = (
        f"{count_of(row['games'], 'game')}, {count_of(row['events'], 'event')},"
        f" {count_of(row['payouts'], 'payout')} regraded: "
    )
    found = row["differences"]
    return counted + (f"{count_of(found, 'difference')}." if found else "no difference.")


SENTENCES: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "difference": difference_in_words,
    "waiting": waiting_in_words,
    "payouts": payouts_in_words,
    "figures": figures,
}
