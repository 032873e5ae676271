"""The data of a game's board for one viewer, read from the database; `drawing` draws it."""

from __future__ import annotations

import uuid
from bisect import bisect_left
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from django.urls import reverse
from django.utils import timezone

from casino.floor.tables.board import drawing
from casino.floor.tables.board.drawing_data import Game
from casino.house.attendants import permissions
from casino.house.attendants.pseudonyms import tokens
from casino.house.establishments.denominations import values
from casino.play.core import queries, scoreboards, undo
from casino.play.core.stories import staff_names, table_name
from casino.play.devices import leases as recording
from casino.play.devices.leases import EXEMPT
from casino.play.settlement import settled
from casino.words.languages import locales, reader
from casino.words.presenters import PRESENTERS, TITLES, opening_forms
from casino.words.presenters.opening_forms import UNIT
from casino.words.presenters.registered import OPENINGS
from casino.words.presenters.rounds import prize_words
from games.messages import NoThrowRecorded, PlayerJoined, TableClosed, TableEvent, Voided

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from datetime import datetime

    from casino.floor.tables.board.drawing_data import Given, House, OtherLine, Undo
    from casino.house.acts.game_streams.loading import Loaded
    from casino.house.establishments.models import Establishment
    from casino.words.presenters.presenter import Presenter

WITH_WORDS = (
    TableEvent | Voided | NoThrowRecorded | TableClosed
)  # events that may hold texts that people wrote


@dataclass(frozen=True, slots=True)
class Seen:
    """A game and the person who looks at it: all that a request has to look up only once."""

    loaded: Loaded
    house: Establishment
    person: str
    role: str
    through: int
    """The game's last event that settlement has dealt with."""
    device: str = ""
    mark: str = ""
    """The version mark of a board's content (`queries.mark`); other pages need none."""

    @property
    def etag(self) -> str:
        """The board's ETag. It changes with the board's content, its reader and their language."""
        return f'"{self.mark}-{self.role}-{self.person}-{reader.language_and_locale()}"'

    def may(self, act: permissions.Act) -> bool:
        return self.role in permissions.ALLOWED[act]


def board(seen: Seen, known: Given | None = None) -> dict[str, Any]:
    """
    The whole board, with people's names. The keys are those that templates/floor/tables/ read.

    :param known: the result of `collect_given`, if the caller has it already.
    """
    return drawing.draw_board(game(seen.loaded), collect_given(seen) if known is None else known)


def game(loaded: Loaded) -> Game:
    """The game in the form that `drawing` takes."""
    return Game(
        ruleset=loaded.ruleset,
        presenter=PRESENTERS[loaded.ruleset.id],
        facts=loaded.facts,
        state=loaded.state,
        live=loaded.live,
        view=loaded.view,
        when=partial(_when, loaded, locales.clock),
    )


def house_of_board(house: Establishment, unit: int) -> House:
    """What a board needs of its house, where a point of the game is worth so many coins."""
    return {
        "id": str(house.pk),
        "currency": house.currency_symbol,
        "zone": house.time_zone,
        "locale": locales.current(),
        "language_and_locale": reader.language_and_locale(),
        "steps": list(opening_forms.chip_steps(house.denominations, unit=unit)),
        "pieces": values(house.denominations),
        "unit": unit,
    }


def collect_given(seen: Seen) -> Given:
    """The data that a board needs and only the house has: names, bookings, lease, addresses."""
    loaded, house, key = seen.loaded, seen.house, seen.loaded.key
    money = PRESENTERS[loaded.ruleset.id].for_money(loaded)
    lease = recording.lease_on_board(house.pk, key.game, seen.device, timezone.now())
    watching = lease["held"] and not lease["mine"]
    return {
        "game": str(key.game),
        "ruleset": loaded.ruleset.id,
        "title": str(TITLES[loaded.ruleset.id]),
        "table": {"id": loaded.place["table"], "name": table_name(house, loaded)},
        "house": house_of_board(house, loaded.unit),
        "etag": seen.etag,
        "command_id": str(uuid.uuid4()),
        "person": seen.person,
        "may": {"record": seen.may("record"), "approve": seen.may("approve")},
        "people": staff_names(loaded, also=[seen.person]),
        "names": tokens.names(house.pk, players(loaded)),
        "texts": tokens.texts(house.pk, texts(loaded)),
        "booked": settled.stakes_in_ledger(loaded) if money else {},
        "held": settled.stakes_on_hold(key) if money else {},
        "through": seen.through,
        "settled_position": loaded.events[seen.through - 1].position if seen.through else -1,
        "irreversible": settled.irreversible_through(loaded),
        "agreed": options_in_words(loaded),
        "undo": undone(seen),
        "second_look": house.second_look,
        "board": points_on_board(seen),
        "awaited": [
            {"amount": amount, "table": table_name(house, left_by)}
            for left_by, amount in queries.rollovers_to_come(loaded)
        ],
        "other_lines": _other_lines(loaded, lease.pop("takeovers"), locales.clock),
        "lease": lease,
        "device": recording.device(house.pk, key.game, seen.device),
        "only": sorted(EXEMPT) if watching else None,
        "watching": watching and seen.may("record"),
        "urls": urls(loaded) if seen.may("record") else {**urls(loaded), "open": ""},
        "ahead": None,
    }


def options_in_words(loaded: Loaded) -> list[dict[str, str]]:
    """
    The options that were chosen otherwise than the rules have them, in words.

    What a point is worth is said only of games for money.
    """
    form, opened = OPENINGS[loaded.ruleset.id], cast("Any", loaded.facts[0]).options
    chosen = {option.name: getattr(opened, option.name) for option in form.options}
    paid = opening_forms.is_for_money(form, chosen)
    return [
        {
            "label": str(option.label),
            "rule": option.rule,
            "value": opening_forms.value_in_words(option, chosen[option.name], paid=paid),
        }
        for option in form.options
        if chosen[option.name] != option.default and (paid or option.name != UNIT)
    ]


def points_on_board(seen: Seen) -> dict[str, tuple[str, str, str]]:
    """What the house's scoreboard of the game says of those who sit here."""
    kind, here = seen.loaded.ruleset.id, seen.loaded.view["points"].keys()
    found = scoreboards.of_players(seen.house, kind, here) if here else {}
    return {
        player: (
            str(points),
            prize_words(prize.prize, prize.amount) if prize else "",
            str(prize.missing) if prize else "0",
        )
        for player, (points, prize) in found.items()
    }


def undone(seen: Seen) -> Undo:
    """How long the last command of play may be undone alone on this device (G4)."""
    loaded, seconds, now = seen.loaded, seen.house.undo_seconds, timezone.now()
    last = undo.last_command(loaded)
    mine = last is not None and last.provenance.device == seen.device
    return {
        "seconds": seconds,
        "open": undo.is_open(loaded, seconds, now),
        "left": undo.seconds_left(loaded, seconds, now),
        "at": int(last.provenance.occurred_at.timestamp()) if last is not None and mine else None,
    }


def players(loaded: Loaded) -> set[str]:
    """The tokens of all players who ever sat in the game, also those whose joining was voided."""
    joined = {fact.player for fact in loaded.facts if isinstance(fact, PlayerJoined)}
    return joined | set(loaded.stakes)


def texts(loaded: Loaded) -> set[str]:
    """The tokens of the texts that people wrote about the game: reasons and notes."""
    return {
        token for fact in loaded.facts if isinstance(fact, WITH_WORDS) for token in _words(fact)
    }


def _words(fact: object) -> Iterator[str]:
    for text in (getattr(fact, "reason", None), getattr(fact, "note", None)):
        if text is not None and tokens.is_token(text):
            yield text


def _other_lines(
    loaded: Loaded, lines: Iterable[Mapping[str, Any]], clock: Callable[[datetime], str]
) -> list[OtherLine]:
    """Log lines that are not events of the game, each with the number of the event before it."""
    positions = [event.position for event in loaded.events]
    return [
        {
            "after": bisect_left(positions, line["position"]),
            "clock": clock(line["at"]),
            "kind": line["kind"],
            "sentence": line["sentence"],
        }
        for line in lines
    ]


def urls(loaded: Loaded) -> dict[str, str]:
    """
    The addresses that a board links to, by name.

    `round` has ``%d`` in place of a round's number; `open` opens the next game at the table.
    """
    key = loaded.key.game
    names = (
        "board", "offline", "command", "entries", "lease", "log", "void", "supervisor", "change",
        "anew",
    )  # fmt: skip
    again = reverse("floor-open", args=[loaded.place["table"]])
    return {
        **{name: reverse(f"floor-{name}", args=[key]) for name in names},
        "table_events": reverse("floor-table-events", args=[key]),
        "waiting": reverse("floor-waiting", args=[key]),
        "scoreboard": reverse("floor-scoreboard", args=[key]),
        "round": reverse("floor-round", args=[key, 0]).replace("/0/", "/%d/"),
        "open": f"{again}?game={loaded.ruleset.id}",
        "players": reverse("floor-players", args=[loaded.place["table"]]),
        "attendant": f"{reverse('floor-attendant')}?next={reverse('floor-game', args=[key])}",
    }


def log(  # noqa: PLR0913 - as `drawing.log`
    loaded: Loaded,
    presenter: Presenter,
    people: Mapping[str, str],
    *,
    limit: int | None = None,
    other_lines: Iterable[Mapping[str, Any]] = (),
    clock: Callable[[datetime], str] = locales.clock,
) -> list[dict[str, Any]]:
    """
    The lines of a game's log (`drawing.log`), newest first, with tokens instead of names.

    :param other_lines: lines that are not events of the game, each with its `position` in the
        ledger.
    """
    return drawing.log(
        loaded,
        presenter,
        people=people,
        when=partial(_when, loaded, clock),
        round_url=urls(loaded)["round"],
        other_lines=_other_lines(loaded, other_lines, clock),
        limit=limit,
    )


def _when(loaded: Loaded, clock: Callable[[datetime], str], number: int) -> str:
    return clock(loaded.events[number - 1].provenance.occurred_at)
