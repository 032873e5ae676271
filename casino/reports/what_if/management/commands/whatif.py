"""`manage.py whatif`: a period played again under another option, fee or home throw."""

from __future__ import annotations

import json
from datetime import date
from typing import TYPE_CHECKING, Any, Final

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from casino.engine.processes import command
from casino.house.attendants.pseudonyms import tokens
from casino.house.establishments.clock import show_as_at
from casino.house.establishments.command_line import houses
from casino.proof.disputes.regrade import reading
from casino.proof.disputes.regrade.reading import Period
from casino.reports.what_if import runs, summaries
from casino.reports.what_if.changes import Change, parse
from casino.reports.what_if.runs import Query, Sums
from casino.words.languages.amounts import money
from casino.words.languages.messages import translate
from games.refusals import Refused
from ledger.conflicts import count_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from uuid import UUID

    from casino.house.establishments.models import Establishment

NOT_DONE: Final = 2


class Command(BaseCommand):
    help = (
        "Play a period again under another option, fee or home throw, from the recorded throws, and"
        " set it beside what was: pots, payouts, fees, lengths of games, who would have won what."
        " Games in which something would have depended on what players then choose cannot be"
        " decided again; it says which, from which event on, and why. Reads only."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        add = parser.add_argument
        add("--house", metavar="NAME|ID", help="default: the only one")
        add("--from", dest="since", type=date.fromisoformat, metavar="DAY", help="first gaming day")
        add("--to", dest="until", type=date.fromisoformat, metavar="DAY", help="last gaming day")
        add("--game", default="", help="of one game alone")
        add("--option", action="append", default=[], metavar="NAME=VALUE")
        add("--stake", type=int, metavar="COINS", help="that each player brought to the opening")
        add("--price", type=int, metavar="COINS", help="of the dice in each round, where they cost")
        add("--fee", default="", metavar="kind=rake,percent=5|none")
        add("--home-throw", default="", metavar="A,B,C|none", help="the house's")
        add(
            "--player-home", action="append", default=[], metavar="NAME=A,B,C",
            help="a player's own",
        )  # fmt: skip
        add("--format", choices=["text", "json"], default="text")

    def handle(self, **options: Any) -> None:
        house = one_house(options["house"])
        with show_as_at(house):
            self.ask(house, options)

    def ask(self, house: Establishment, options: dict[str, Any]) -> None:
        period = Period(options["since"], options["until"])
        if period.since and period.until and period.since > period.until:
            raise CommandError("--to: the period ends before it begins.", returncode=NOT_DONE)
        try:
            change = parse(
                game=options["game"],
                options=options["option"],
                stake=options["stake"],
                price=options["price"],
                fee=options["fee"],
                home_throw=options["home_throw"],
                player_homes=by_token(house.pk, options["player_home"]),
            )
            self.replay(house, period, change, as_json=options["format"] == "json")
        except Refused as refused:
            raise CommandError(translate(str(refused)), returncode=NOT_DONE) from refused
        except DatabaseError as error:
            raise CommandError(f"Not done: {error}", returncode=NOT_DONE) from error

    def replay(
        self, house: Establishment, period: Period, change: Change, *, as_json: bool
    ) -> None:
        stretch = reading.stretch(house.pk, period)
        query = Query(establishment=house.pk, period=period, stretch=stretch, change=change)
        sums, done = Sums(), 0
        for span, games in runs.whole(query):
            done += len(span)
            command.draw_bar(self.stderr, done / max(1, len(stretch)))
            for each in games:
                sums.add(each)
            rows = [each.as_json() for each in games if runs.is_finding(each)]
            for row in tokens.resolve(house.pk, rows):
                self.say(json.dumps({"game": row}, ensure_ascii=False) if as_json else line(row))
        command.draw_bar(self.stderr, None)
        if as_json:
            self.say(json.dumps({"figures": sums.as_json()}, ensure_ascii=False))
            return
        for text in summary(sums):
            self.say(text)

    def say(self, text: str) -> None:
        self.stdout.write(text)


def one_house(name: str | None) -> Establishment:
    """
    The house of that name or id; without a name, the only house.

    :raises CommandError: if there is no such house, or several and no name is given.
    """
    found = houses(None if name is None else [name])
    if len(found) != 1:
        raise CommandError("--house: say which of the houses.", returncode=NOT_DONE)
    return found[0]


def by_token(establishment: UUID, texts: Iterable[str]) -> dict[str, str]:
    """
    Players' home throws by token, from texts ``NAME=A,B,C``.

    :raises CommandError: if the house has no player of that name.
    """
    homes = dict(each.rpartition("=")[::2] for each in texts)
    known = tokens.player_tokens(establishment, homes, new=False)
    for name in homes:
        if name not in known:
            raise CommandError(f"--player-home: no player {name} here.", returncode=NOT_DONE)
    return {known[name]: dice for name, dice in homes.items()}


def line(row: dict[str, Any]) -> str:
    """The result of one game as a few lines of text."""
    lines = [f"{row['day']} {row['ruleset']} {row['game']} (position {row['position']})"]
    if (end := row["undecided"]) is not None:
        lines.append(
            f"  cannot be decided again from event {end['event']} on: {summaries.WHY[end['why']]}"
        )
        if end["message"]:
            lines.append(f"  {translate(end['message'])}")
        lines.append("  until there:")
    elif row["ended"] is not None:
        lines.append(f"  it would have been over before event {row['ended']}")
    lines += [
        f"  {each['title'].lower()}: {figure(each, 'was')} -> {figure(each, 'now')}"
        for each in summaries.side_by_side(row["was"], row["now"])
        if each["more"]
    ]
    lines += [
        f"  {each['name']}: {more(each['was'])} -> {more(each['now'])}"
        for each in summaries.players(row)
        if each["more"]
    ]
    return "\n".join(lines)


def summary(sums: Sums) -> list[str]:
    decided = sums.games - sums.undecided
    lines = [
        (
            f"{count_of(sums.games, 'game')} opened; {sums.changed} of them would have opened"
            " otherwise."
        ),
        f"Decided again whole: {decided}, of which {sums.differing} come out otherwise.",
        *table(sums.whole_was.as_json(), sums.whole_now.as_json()),
    ]
    if sums.undecided:
        because = ", ".join(f"{each} {count}" for each, count in sorted(sums.why.items()))
        lines += [
            f"Cannot be decided again: {sums.undecided} ({because}). Of these, until then:",
            *table(sums.until_was.as_json(), sums.until_now.as_json()),
        ]
    return lines


def table(was: dict[str, int], now: dict[str, int]) -> list[str]:
    return [
        f"  {each['title']:<16} {figure(each, 'was'):>10} -> {figure(each, 'now'):>10}"
        f"  {more(each['more']) if each['money'] else format(each['more'], '+d')}"
        for each in summaries.side_by_side(was, now)
    ]


def figure(row: dict[str, Any], name: str) -> str:
    """A figure as the house writes it: amounts with the decimals of its coin, and with its sign."""
    return money(row[name]) if row["money"] else str(row[name])


def more(amount: int) -> str:
    """How much more it is, or less: +0.05 €."""
    return f"{'+' if amount >= 0 else ''}{money(amount)}"
