"""Check the prizes that points of a game have won: issued once, kept, with the right transfer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from casino.house.acts import accounts
from casino.play.settlement.scoreboard import FIRST

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from casino.play.settlement.models import PrizeIssued
    from casino.proof.disputes.regrade.bookings import Bookings, Written


class Prizes:
    """The prizes won by points of one game. Which points win a prize is not graded."""

    def __init__(self, books: Bookings) -> None:
        self.books, self.game = books, books.game

    def compare(self, issued: Sequence[Written]) -> None:
        for each in issued:
            if wrong := list(self.wrong(each)):
                self.game.differs(
                    "prize", "altered", event=each.cause or None, position=each.row.position,
                    round=self.books.round_of(each.cause), found=dict(each.data),
                    said=f"{'; '.join(wrong)}.",
                )  # fmt: skip
        winners = [key_of(each.data) for each in issued]
        for row in self.kept():
            if (str(row.rule), row.season, row.player) not in winners:
                found = {"rule": str(row.rule), "player": row.player}
                self.game.differs("prize", "unexpected", position=row.position, found=found)

    def wrong(self, issued: Written) -> Iterator[str]:
        data, player = issued.data, issued.data.get("player")
        if player not in self.scorers(issued.cause):
            yield "The player scored nothing there"
        if not any((str(row.rule), row.season, row.player) == key_of(data) for row in self.kept()):
            yield "It is not kept as issued"
        if issued.moved() != worth(data.get("amount"), player):
            yield "Another amount was moved"

    def scorers(self, cause: int) -> set[str]:
        facts = self.game.result.facts
        fact = facts[cause - 1] if 0 < cause <= len(facts) else None
        return {player for player, _ in fact.points} if fact else set()

    def kept(self) -> Iterator[PrizeIssued]:
        """The stored prizes won by points of this game, as far as settlement has read."""
        subscriber = self.books.cursors.settlement
        for row, fact in zip(self.books.rows.played, self.game.result.facts, strict=False):
            if fact is not None and fact.points and subscriber.reached(row.position, row.stream):
                yield from self.game.stored.prizes.get(row.position, ())


def key_of(data: Mapping[str, Any]) -> tuple[Any, Any, Any]:
    return data.get("rule"), data.get("season", FIRST), data.get("player")


def worth(amount: Any, player: Any) -> list[tuple[str, str, int, str]]:
    """The transfer of a prize: the house's own money becomes the player's."""
    if not amount:
        return []
    return [(str(accounts.bank()), str(accounts.prizes_owed(str(player))), amount, "")]
