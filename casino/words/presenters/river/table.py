"""
The data of River's table for the game's own parts of a screen: lots, bidders, hands.

Hole dice are not in it before their reveal: no event contains them until then (RV2).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext_lazy

from games.payments import POT
from games.river.auction import (
    bidders,
    hammer_prices,
    least_bid,
    passers,
)
from games.river.explain import RoundStory
from games.river.hands import SIDES, SIZES
from games.river.messages import DiceRevealed, LotSold, RoundStarted, RoundWon
from games.river.state import Playing, phase
from games.river.view import starts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from casino.words.presenters.presenter import Course
    from games.messages import Fact
    from games.river.messages import LotWithdrawn
    from games.river.state import Round

# The key of each player, within reach of the left hand while the right hand enters figures.
KEYS: Final = "asdfghjklqerty"
SIDES_OF: Final = dict(zip(SIZES, SIDES, strict=True))
Die = tuple[int, int, str]
"""The face, sides and mark with which a die is drawn."""
ROWS: Final = {
    "Perfect Odd/Even River": gettext_lazy("Perfect Odd/Even River"),
    "Perfect Odd/Even Turn": gettext_lazy("Perfect Odd/Even Turn"),
    "Perfect Odd/Even Flop": gettext_lazy("Perfect Odd/Even Flop"),
    "Perfect Turn": gettext_lazy("Perfect Turn"),
    "Perfect Flop": gettext_lazy("Perfect Flop"),
    "High Odd/Even River": gettext_lazy("High Odd/Even River"),
    "Perfect River": gettext_lazy("Perfect River"),
    "High Flop": gettext_lazy("High Flop"),
    "High Odd/Even Turn": gettext_lazy("High Odd/Even Turn"),
    "High Turn": gettext_lazy("High Turn"),
    "High Odd/Even Flop": gettext_lazy("High Odd/Even Flop"),
    "Triple 7s/8s": gettext_lazy("Triple 7s/8s"),
    "Double 9s/10s": gettext_lazy("Double 9s/10s"),
    "High River": gettext_lazy("High River"),
    "Ordinary Flop": gettext_lazy("Ordinary Flop"),
    "Ordinary Turn": gettext_lazy("Ordinary Turn"),
    "Quadruple 5s/6s": gettext_lazy("Quadruple 5s/6s"),
    "Low Flop": gettext_lazy("Low Flop"),
    "Odd/Even Turn": gettext_lazy("Odd/Even Turn"),
    "High 11/12": gettext_lazy("High 11/12"),
    "River": gettext_lazy("River"),
    "Double 7s/8s": gettext_lazy("Double 7s/8s"),
    "Odd/Even Flop": gettext_lazy("Odd/Even Flop"),
    "Triple 5s/6s": gettext_lazy("Triple 5s/6s"),
    "Low Turn": gettext_lazy("Low Turn"),
    "Low River": gettext_lazy("Low River"),
    "Flop 6": gettext_lazy("Flop 6"),
    "Turn 5": gettext_lazy("Turn 5"),
    "High 9/10": gettext_lazy("High 9/10"),
    "Quintuple 1s/2s/3s/4s": gettext_lazy("Quintuple 1s/2s/3s/4s"),
    "Double 5s/6s": gettext_lazy("Double 5s/6s"),
    "Low Odd/Even Flop": gettext_lazy("Low Odd/Even Flop"),
    "Flop 5": gettext_lazy("Flop 5"),
    "Quadruple 1s/2s/3s/4s": gettext_lazy("Quadruple 1s/2s/3s/4s"),
    "Turn 4": gettext_lazy("Turn 4"),
    "High 7/8": gettext_lazy("High 7/8"),
    "Triple 1s/2s/3s/4s": gettext_lazy("Triple 1s/2s/3s/4s"),
    "Flop 3/4": gettext_lazy("Flop 3/4"),
    "High 5/6": gettext_lazy("High 5/6"),
    "Double 1s/2s/3s/4s": gettext_lazy("Double 1s/2s/3s/4s"),
}
"""The names of the rows in the table of hands, by their names in the rules."""


def table(game: Course) -> dict[str, Any]:
    """
    The state of the round. ``phase`` decides which of the other fields there are.

    people: the players in the round, in seat order, each with a key of the keyboard.
    lots: the banker's dice, and what happened to each. lot: the lot that is being auctioned.
    reveals: the players whose dice may be recorded. result: the last round, once it is over.
    """
    state = game.state.inner
    if not isinstance(state, Playing):
        return {"phase": "over", "result": result(game)}
    this = state.round
    if this is None:
        return {"phase": "between", "result": result(game), **between(game, state)}
    return {
        "phase": phase(state),
        "people": list(sealers(this)),
        "lots": lots(game, this),
        "lot": under_the_hammer(state, this) if phase(state) == "bidding" else None,
        "reveals": reveals(this),
    }


def between(game: Course, state: Playing) -> dict[str, Any]:
    """Data between rounds: price of the next, if possible that of the last; late reveals."""
    rows = {row["do"]: row for row in starts(state) if row["do"] == "start_round"}
    sale = rows.get("start_round")
    story = last_round(game)
    if sale and story is not None and sale["least"] <= price_of(story) <= sale["most"]:
        sale = {**sale, "price": price_of(story)}
    late = [{"player": each.player, "committed": each.commitment is not None}
            for each in state.hidden]  # fmt: skip
    return {"sale": sale, "reveals": with_keys(late)}


def price_of(story: RoundStory) -> int:
    return next(event.price for _, event in story.events if isinstance(event, RoundStarted))


def with_keys(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    keys = [*KEYS, *[""] * len(rows)]
    return [{**row, "key": key} for row, key in zip(rows, keys, strict=False)]


def sealers(this: Round) -> Iterator[dict[str, Any]]:
    rows = [
        {
            "player": player,
            "sealed": player in this.sealed,
            "committed": this.sealed.get(player) is not None,
        }
        for player in this.players
    ]
    yield from with_keys(rows)


def reveals(this: Round) -> list[dict[str, Any]]:
    rows = [
        {
            "player": player,
            "committed": this.sealed.get(player) is not None,
            "revealed": player in this.revealed,
        }
        for player in this.players
    ]
    return with_keys(rows)


def lots(game: Course, this: Round) -> list[dict[str, Any]]:
    """The five lots in the order of the auction, each `sold`, `withdrawn`, `now` or `coming`."""
    story = last_round(game)
    came = story.lots if story else []
    return [
        {"die": size, "sides": sides, "face": face, **lot(came, place, this.hammered)}
        for place, (size, sides, face) in enumerate(zip(SIZES, SIDES, this.offer, strict=False))
    ]


def lot(came: list[LotSold | LotWithdrawn], place: int, hammered: int) -> dict[str, Any]:
    if place > hammered:
        return {"state": "coming"}
    if place == hammered:
        return {"state": "now"}
    what = came[place]
    if isinstance(what, LotSold):
        return {"state": "sold", "player": what.player, "amount": what.amount}
    return {"state": "withdrawn"}


def under_the_hammer(state: Playing, this: Round) -> dict[str, Any]:
    """
    The lot that is being auctioned, its bids, and what one tap may do for each player.

    :returns: ``least``: the least next bid; ``opens``: the least price. ``sale``: to whom, and for
        how much, the lot would be sold now, None if no bid was recorded. ``people``: the players,
        with ``most``, their highest possible bid (None: they may not bid); ``passes``: whether they
        may pass; ``buys``: whether the die may be sold to them.
    """
    may_bid, may_pass = dict(bidders(state, this)), set(passers(this))
    sales = {player: (low, high) for player, low, high in hammer_prices(state, this)}
    highest = this.lot.highest
    rows = [
        {
            "player": player,
            "stake": state.stakes[player],
            "most": may_bid.get(player),
            "passes": player in may_pass,
            "passed": player in this.lot.passed,
            "highest": highest is not None and highest.player == player,
            "buys": player in sales,
        }
        for player in this.players
    ]
    return {
        "die": this.die,
        "sides": SIDES_OF[this.die],
        "face": this.offer[this.hammered],
        "number": this.hammered + 1,
        "least": least_bid(state, this),
        "opens": state.opened.options.unit,
        "sale": {"player": highest.player, "amount": highest.amount} if highest else None,
        "people": with_keys(rows),
    }


def lying(game: Course, player: str) -> list[Die]:
    """A player's visible dice in the running round: dice won, or the whole hand once shown."""
    state = game.state.inner
    this = state.round if isinstance(state, Playing) else None
    if this is None:
        return []
    reveal = revelation_of(game, player) if player in this.revealed else None
    if reveal is not None:
        story, event = reveal
        return laid(story, event)
    won = this.won.get(player, ())
    return [(face, sides, "plain") for face, sides in zip(won, SIDES, strict=False)
            if face is not None]  # fmt: skip


def revelation_of(game: Course, player: str) -> tuple[RoundStory, DiceRevealed] | None:
    story = last_round(game)
    if story is None or player not in story.revealed:
        return None
    return story, story.revealed[player][1]


def laid(story: RoundStory, reveal: DiceRevealed) -> list[Die]:
    """The five dice that count in a shown hand; those won at auction are marked with a ring."""
    return [
        (face, sides, "kept" if size in reveal.replaced else "plain")
        for face, sides, size in zip(story.laid(reveal), SIDES, SIZES, strict=True)
    ]


def last_round(game: Course) -> RoundStory | None:
    """The running round or the last one, with what was recorded about it after its end."""
    events: list[tuple[int, Fact]] = []
    for number, event in reversed(game.live):
        events.append((number, event))
        if isinstance(event, RoundStarted):
            return _story(event.round, events[::-1])
    return None


def _story(number: int, events: list[tuple[int, Fact]]) -> RoundStory:
    story = RoundStory(number)
    for position, event in events:
        if isinstance(event, DiceRevealed) and event.late:
            story.late.append((position, event))
        elif story.end is None:
            story.take(position, event)
    return story


def row(name: str) -> str:
    """The translated name of a row in the table of hands."""
    return str(ROWS[name])


def result(game: Course) -> dict[str, Any] | None:
    """The result of the last round, highest hand first; None if it was void or there is none."""
    story = last_round(game)
    if story is None or not isinstance(story.end, RoundWon):
        return None
    end = story.end
    shares = {each.payee: each.amount for each in end.payments if each.payer == POT}
    open_hands = sorted(
        (event for _, event in story.revealed.values() if event.player not in story.forfeited),
        key=lambda event: (event.rank, event.player not in end.winners),
    )
    rolled = {event.player: event.dice[0] for _, event in story.rolled}
    hands = [
        {**hand(story, event), "won": shares.get(event.player), "rolled": rolled.get(event.player)}
        for event in open_hands
    ]
    late = [hand(story, event) for _, event in story.late]
    showed = {event.player for event in open_hands}
    alone = [{"player": name, "won": shares.get(name)} for name in end.winners
             if name not in showed]  # fmt: skip
    return {"round": story.number, "winners": list(end.winners), "hands": [*hands, *alone],
            "late": late, "left": list(story.forfeited)}  # fmt: skip


def hand(story: RoundStory, reveal: DiceRevealed) -> dict[str, Any]:
    """A shown hand; ``swaps`` has each won die with the hole die that it replaces."""
    dice = laid(story, reveal)
    holes = dict(zip(SIZES, reveal.dice, strict=True))
    return {
        "player": reveal.player,
        "rank": reveal.rank,
        "name": row(reveal.hand),
        "dice": [face for face, _sides, _mark in dice],
        "marks": [mark for _face, _sides, mark in dice],
        "swaps": [
            {"die": size, "won": story.won_die(reveal.player, size), "hole": holes[size]}
            for size in reveal.replaced
        ],
    }
