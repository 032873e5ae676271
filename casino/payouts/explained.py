"""The sentence behind a payout: the throws it rests on, in the words of the game's own rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from django.utils.translation import gettext as _

from casino.game_streams.catalogue import GameNotInstalled
from casino.game_streams.loading import GameKey, load, load_all
from casino.languages.messages import translated
from casino.presenters.rounds import chapters
from casino.settlement.models import Payout
from games.history import live

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from uuid import UUID

    from casino.establishments.models import Establishment
    from casino.game_streams.loading import Loaded
    from games.game import History, Ruleset
    from games.messages import Fact


class Explained:
    """Why payouts were made: their games loaded in one query, each round explained once."""

    def __init__(self, house: Establishment, rows: Iterable[Payout]) -> None:
        self._house = house.pk
        self._games: dict[UUID, Loaded] = {**load_all(house.pk, {row.game for row in rows})}
        self._rounds: dict[tuple[UUID, int], list[dict[str, Any]]] = {}
        self._running: dict[UUID, list[dict[str, Any]]] = {}

    def why(self, row: Payout) -> str:
        """A sentence with the players' tokens in it."""
        if row.state == Payout.State.REVERSED:
            return _("Voided, and moved back.")
        try:
            return reason(row, self._payments(row), lambda: standing(self._game(row)))
        except GameNotInstalled as missing:
            return translated(str(missing))

    def how(self, row: Payout) -> str:
        """How its round ended: the throws that decided it. A sentence with tokens in it."""
        try:
            return " ".join(translated(str(each["because"])) for each in self._told(row))
        except GameNotInstalled as missing:
            return translated(str(missing))

    def _payments(self, row: Payout) -> list[dict[str, Any]]:
        """Those of its round, in order."""
        if told := self._told(row):
            return [payment for each in told for payment in each["payments"]]
        if row.game not in self._running:
            game = self._game(row)
            self._running[row.game] = of_no_end(game.ruleset, game.history, row.round)
        return self._running[row.game]

    def _told(self, row: Payout) -> list[dict[str, Any]]:
        key = (row.game, row.round)
        if key not in self._rounds:
            game = self._game(row)
            self._rounds[key] = game.ruleset.explain(game.history, row.round)
        return self._rounds[key]

    def _game(self, row: Payout) -> Loaded:
        if row.game not in self._games:
            self._games[row.game] = load(GameKey(self._house, row.game))
        return self._games[row.game]


def of_no_end(ruleset: Ruleset, history: History, round_no: int) -> list[dict[str, Any]]:
    """The payments of a round without an end: it runs on, or the table was closed before it."""
    before = ruleset.explain(history, round_no - 1)  # a close counts to it what came since
    return [*ruleset.so_far(history), *(paid for each in before for paid in each["payments"])]


class Game(Protocol):
    """What is known of a game that payouts come from."""

    @property
    def facts(self) -> Sequence[Fact]: ...

    @property
    def history(self) -> History: ...


class Paid(NamedTuple):
    """
    A payment that stands, of a game's own events.

    :param like: from whom, to whom, how much, by which rules.
    """

    round: int
    cause: int
    seq: int
    like: tuple[str, str, int, list[str]]


def standing(game: Game) -> list[Paid]:
    """All that stand, in order."""
    of = chapters(game.facts).of
    return [
        Paid(of[number - 1], number, seq, (each.payer, each.payee, each.amount, list(each.rules)))
        for number, fact in live(game.history)
        for seq, each in enumerate(fact.payments)
    ]


def reason(
    row: Payout,
    payments: Iterable[Mapping[str, Any]],
    paid: Callable[[], Iterable[Paid]],
) -> str:
    """
    Why a payout was made; nothing, if none of these payments is it.

    :param payments: of its round, in order, as the rules explain them (`Ruleset.explain`).
    :param paid: those of its game that stand; asked for where several payments are like it.
    """
    like = (row.payer, row.payee, row.amount, row.rules.split())
    alike = [
        str(each["because"])
        for each in payments
        if (each["from"], each["to"], each["amount"], each["rules"]) == like
    ]
    if not alike:
        return ""
    # How many like it its round had made before: two zeros ask for two antes (TA4)
    place = 0 if len(alike) == 1 else sum(
        (each.round, each.like) == (row.round, like)
        and (each.cause, each.seq) < (row.cause, row.seq)
        for each in paid()
    )  # fmt: skip
    return translated(alike[min(place, len(alike) - 1)])
