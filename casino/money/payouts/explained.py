"""Explains payouts: a sentence with the throws behind a payout, in the words of the game."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from django.utils.translation import gettext as _

from casino.house.acts.game_streams.catalogue import GameNotInstalled
from casino.house.acts.game_streams.loading import GameKey, load, load_all
from casino.play.settlement.models import Payout
from casino.words.languages.messages import translate
from casino.words.presenters.rounds import chapters
from games.messages import live

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from uuid import UUID

    from casino.house.acts.game_streams.loading import Loaded
    from casino.house.establishments.models import Establishment
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
        return translate(self._because(row))

    def sentences(self, row: Payout) -> tuple[str, ...]:
        """
        How the payout's round ended, by which throws, and why it was made; with tokens.

        Of a voided payout it only says that, because its round may have been played again.
        """
        if row.state == Payout.State.REVERSED:
            return (self.why(row),)
        how, why = self._how(row), self._because(row)
        told = (how, what_is_new(why, after=how))
        return tuple(translate(each) for each in told if each)

    def _because(self, row: Payout) -> str:
        """`why`, in the words of the rules."""
        try:
            return find_reason(row, self._payments(row), lambda: standing(self._game(row)))
        except GameNotInstalled as missing:
            return str(missing)

    def _how(self, row: Payout) -> str:
        try:
            return " ".join(str(each["because"]) for each in self._explain(row))
        except GameNotInstalled as missing:
            return str(missing)

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


def what_is_new(text: str, *, after: str) -> str:
    """
    The sentences of a text that another has not said before it.

    A payment's reason is shorter than the sentences of its round: "… 9-8-7." says nothing after
    "… 9-8-7, with the won d8 (RV4).".
    """
    said = _sentences(after)
    return " ".join(
        each for each in dict.fromkeys(_sentences(text))
        if not any(re.match(rf"{re.escape(each.removesuffix('.'))}(?![\w-])", one) for one in said)
    )  # fmt: skip


def _sentences(text: str) -> list[str]:
    return re.split(r"(?<=\.) ", text)


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
    """The sentence that says why a payout was made, translated; see `find_reason`."""
    return translate(find_reason(row, payments, paid))


def find_reason(
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
    return alike[min(place, len(alike) - 1)]
