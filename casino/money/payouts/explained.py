"""Explains payouts: a sentence with the throws behind a payout, in the words of the game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from django.utils.translation import gettext as _

from casino.house.game_streams.catalogue import GameNotInstalled
from casino.house.game_streams.loading import GameKey, load, load_all
from casino.play.settlement.models import Payout
from casino.words.languages.messages import translate
from casino.words.presenters.rounds import chapters
from games.history import live

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from uuid import UUID

    from casino.house.establishments.models import Establishment
    from casino.house.game_streams.loading import Loaded
    from games.game import History, Ruleset
    from games.messages import Fact


class Explained:
    """Explains payouts; loads their games in one query and explains each round once."""

    def __init__(self, house: Establishment, rows: Iterable[Payout]) -> None:
        self._house = house.pk
        self._games: dict[UUID, Loaded] = {**load_all(house.pk, {row.game for row in rows})}
        self._rounds: dict[tuple[UUID, int], list[dict[str, Any]]] = {}
        self._running: dict[UUID, list[dict[str, Any]]] = {}

    def why(self, row: Payout) -> str:
        """The sentence that says why a payout was made, with players' tokens."""
        if row.state == Payout.State.REVERSED:
            return _("Voided, and moved back.")
        try:
            return reason(row, self._payments(row), lambda: standing(self._game(row)))
        except GameNotInstalled as missing:
            return translate(str(missing))

    def how(self, row: Payout) -> str:
        """The sentence about how the payout's round ended, by which throws; with tokens."""
        try:
            return " ".join(translate(str(each["because"])) for each in self._explain(row))
        except GameNotInstalled as missing:
            return translate(str(missing))

    def kind(self, row: Payout) -> str:
        """The id of the payout's game; "" if that game is not installed."""
        try:
            return self._game(row).ruleset.id
        except GameNotInstalled:
            return ""

    def _payments(self, row: Payout) -> list[dict[str, Any]]:
        """The payments of the payout's round, in order, as the rules explain them."""
        if explained := self._explain(row):
            return [payment for each in explained for payment in each["payments"]]
        if row.game not in self._running:
            game = self._game(row)
            self._running[row.game] = of_no_end(game.ruleset, game.history, row.round)
        return self._running[row.game]

    def _explain(self, row: Payout) -> list[dict[str, Any]]:
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
    """The payments of a round that has not ended, or that the close of the table cut off."""
    before = ruleset.explain(history, round_no - 1)  # a close adds them to the last ended round
    return [*ruleset.so_far(history), *(paid for each in before for paid in each["payments"])]


class Game(Protocol):
    """The parts of a game that an explanation needs."""

    @property
    def facts(self) -> Sequence[Fact]: ...

    @property
    def history(self) -> History: ...


class Paid(NamedTuple):
    """
    A payment of a game that is not voided.

    :param like: payer, payee, amount, rules.
    """

    round: int
    cause: int
    seq: int
    like: tuple[str, str, int, list[str]]


def standing(game: Game) -> list[Paid]:
    """The payments of a game that are not voided, in order."""
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
    The sentence that says why a payout was made; "" if it is none of the payments.

    :param payments: payments of its round, in order, as the rules explain them (`Ruleset.explain`).
    :param paid: payments of its game that are not voided; called only if several payments of the
        round have the same payer, payee, amount and rules.
    """
    like = (row.payer, row.payee, row.amount, row.rules.split())
    alike = [
        str(each["because"])
        for each in payments
        if (each["from"], each["to"], each["amount"], each["rules"]) == like
    ]
    if not alike:
        return ""
    # How many equal payments came before it in its round: two zeros ask for two antes (TA4)
    place = 0 if len(alike) == 1 else sum(
        (each.round, each.like) == (row.round, like)
        and (each.cause, each.seq) < (row.cause, row.seq)
        for each in paid()
    )  # fmt: skip
    return translate(alike[min(place, len(alike) - 1)])
