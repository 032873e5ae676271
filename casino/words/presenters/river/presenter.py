"""Presenter of River: who seals, bids and shows dice, what was sold for how much, who has what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _

from casino.words.languages.amounts import money
from casino.words.presenters import presenter
from casino.words.presenters.presenter import Presenter, line
from casino.words.presenters.river import table
from casino.words.presenters.words import names, the_dice_decide
from games.messages import NoThrowRecorded
from games.river import messages as river
from games.river.auction import may_still_bid
from games.river.hands import SIDES, SIZES, TABLE
from games.river.rules import ROLL_OFF_SIDES
from games.river.state import Playing, Unopened, phase, rolling

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from casino.words.presenters.presenter import Course, Figures, Line, SeatState, Upcoming
    from games.messages import Fact
    from games.river.state import Round

AT_AUCTION: Final = (river.BidMade, river.BidPassed, river.LotSold, river.LotWithdrawn)
NAMED_MAX = 3  # the most names in a sentence that is read out at a table
HASH_DIGITS = 8  # enough to tell two commitments apart
ENTERED: Final[Mapping[str, tuple[int, ...]]] = {
    "offering": SIDES,
    "revealing": SIDES,
    "rolling": (ROLL_OFF_SIDES,),
}


class River(Presenter):
    SIZES = SIDES

    def upcoming(self, game: Course, view: Mapping[str, Any]) -> Upcoming:
        state = game.state.inner
        may = view["next"]["may"]
        if not isinstance(state, Playing):
            return {"sentence": self.over(state), "player": None, "may": may, "dice": []}
        turn = [] if state.round is None else _on_turn(state, state.round)
        return {
            "sentence": _sentence(state, can_start="start_round" in may),
            "player": turn[0] if turn and phase(state) == "rolling" else None,
            "players": turn,
            "may": may,
            "dice": list(ENTERED.get(phase(state), ())),
        }

    def over(self, state: Any) -> str:
        del state
        return _("The game is closed")

    def figures(self, state: Any) -> Figures:
        if isinstance(state, Unopened):
            return {}
        this = state.round if isinstance(state, Playing) else None
        return {"pot": state.pot, "price": this.price if this else state.opened.price}

    def hand_of(self, game: Course, view: Mapping[str, Any], player: str) -> SeatState:
        state = game.state.inner
        this = state.round if isinstance(state, Playing) else None
        dice = table.lying(game, player)
        return {
            "hand": None,
            "score": None,
            "dice": [face for face, _sides, _mark in dice] or None,
            "sides": [sides for _face, sides, _mark in dice],
            "marks": [mark for _face, _sides, mark in dice],
            "words": "" if this is None else _words(this, player),
            "state": _standing(view, this, player),
        }

    def of_the_game(self, game: Course, fact: Fact) -> Line | None:
        del game
        return (
            _of_the_hole_dice(fact)
            or _of_the_dice(fact)
            or _of_the_auction(fact)
            or _of_the_round(fact)
            or _of_people(fact)
        )

    def own(self, game: Course, view: Mapping[str, Any]) -> dict[str, Any]:
        del view
        return table.table(game)

    def auction(self, game: Course) -> list[dict[str, Any]]:
        state = game.state.inner
        this = state.round if isinstance(state, Playing) else None
        if this is None or phase(state) != "bidding":
            return []
        bids = [{"player": bid.player, "amount": bid.amount} for bid in reversed(this.lot.bids)]
        return [{**lot, "bids": bids if lot["state"] == "now" else []}
                for lot in table.lots(game, this)]  # fmt: skip

    def entered(self, fact: Fact) -> bool:
        return fact.is_throw or isinstance(fact, AT_AUCTION)

    def closing(self, state: Any) -> str:
        if state.round is None:
            return _("The table is closed. Dice that nobody saw stay unseen. RV2, G9")
        return _("The running round is void; what was paid for dice returns. RV2, G9")

    def leaving(self, state: Any) -> str:
        this = state.round
        if this is None:
            return ""
        if this.begun:
            return _("Who is in the round forfeits the price, and what they bought. RV7")
        return _("The price of the dice comes back: nothing is thrown yet. G1")

    def sides(self, count: int) -> list[int]:
        """The sizes of the five dice, or of the single die of a roll-off."""
        return list(SIDES[:count]) if count > 1 else [ROLL_OFF_SIDES] * count


def _on_turn(state: Playing, this: Round) -> list[str]:
    """The players for whom the round waits; during the auction, the one with the highest bid."""
    match phase(state):
        case "sealing":
            return list(this.unsealed)
        case "bidding":
            return [this.lot.highest.player] if this.lot.highest else []
        case "revealing":
            return list(this.unrevealed)
        case _:
            return list(rolling(this))


def _sentence(state: Playing, *, can_start: bool) -> str:
    this = state.round
    if this is None:
        values = {"round": state.number}
        wait = _("Waiting until two can pay for dice")
        return _("Start round %(round)s") % values if can_start else wait
    match phase(state):
        case "sealing":
            return _sealing(this)
        case "offering":
            return _("The banker throws all five")
        case "bidding":
            return _bidding(this)
        case "revealing":
            return _revealing(this)
        case _:
            return _rolling(this)


def _sealing(this: Round) -> str:
    left = this.unsealed
    if not this.begun:
        return _("Everybody throws hidden")
    if len(left) == 1:
        return _("%(name)s throws hidden") % {"name": left[0]}
    if len(left) <= NAMED_MAX:
        return _("%(names)s throw hidden") % {"names": names(left)}
    return _("%(count)s still throw hidden") % {"count": len(left)}


def _bidding(this: Round) -> str:
    highest = this.lot.highest
    if highest is None:
        if set(this.players) <= set(this.lot.passed):
            return _("Nobody bids for the %(die)s: withdraw it") % {"die": this.die}
        return _("Who bids for the %(die)s?") % {"die": this.die}
    values = {"name": highest.player, "amount": money(highest.amount)}
    if not may_still_bid(this, highest.player):
        return _("Going for %(amount)s to %(name)s") % values
    return _("%(name)s bids %(amount)s") % values


def _revealing(this: Round) -> str:
    if not this.unrevealed:
        return the_dice_decide()
    if len(this.unrevealed) == 1:
        return _("%(name)s shows the dice") % {"name": this.unrevealed[0]}
    return _("Who shows their dice?")


def _rolling(this: Round) -> str:
    if next_up := rolling(this):
        return _("Tie: %(name)s throws a d12") % {"name": next_up[0]}
    return the_dice_decide()


def _words(this: Round, player: str) -> str:
    highest = this.lot.highest
    if player in this.revealed:
        reveal = this.revealed[player]
        return _("%(hand)s, row %(row)s") % {"hand": table.row(reveal.name), "row": reveal.rank}
    if player not in this.sealed or player not in this.players:
        return ""
    if highest is not None and highest.player == player:
        return _("bids %(amount)s") % {"amount": money(highest.amount)}
    return _("passes") if player in this.lot.passed else _("sealed")


def _standing(view: Mapping[str, Any], this: Round | None, player: str) -> str:
    if player in view["out"]:
        return "left"
    if this is None:
        return "waiting"
    if player not in this.players:
        return "sitting_out"
    return "thrown" if player in this.sealed else "to_throw"


def _of_the_hole_dice(fact: Fact) -> Line | None:
    match fact:
        case river.DiceSealed(player=player, commitment=None):
            return line("seal", _("%(name)s has sealed") % {"name": player}, ["RV2"])
        case river.DiceSealed(player=player, commitment=str(commitment)):
            values = {"name": player, "hash": commitment[:HASH_DIGITS]}
            return line("seal", _("%(name)s has sealed, commitment %(hash)s…") % values, ["RV2"])
        case river.DiceRevealed():
            return _reveal_line(fact)
        case river.HandsUnseen(players=players):
            sentence = _("Nobody saw the dice of %(names)s") % {"names": names(players)}
            return line("unseen", sentence, ["RV2"])
        case _:
            return None


def _of_the_dice(fact: Fact) -> Line | None:
    match fact:
        case river.DiceOffered(dice=dice):
            return {**_dice(dice, SIDES), **line("throw", _("The banker's dice"), ["RV3"])}
        case river.DieThrown(player=player, dice=dice):
            rolled = _("%(name)s, in the roll-off") % {"name": player}
            return {**_dice(dice, (ROLL_OFF_SIDES,)), **line("throw", rolled, ["RV6"])}
        case NoThrowRecorded(dice=tuple(dice)):
            return presenter.describe_shared(fact, {}, lambda _count: _fitting(dice))
        case _:
            return None


def _reveal_line(fact: river.DiceRevealed) -> Line:
    """The line for shown hole dice; dice that a won die replaces are struck through."""
    values = {"name": fact.player, "hand": table.row(fact.hand), "row": fact.rank}
    text = _("%(name)s has %(hand)s, row %(row)s")
    swaps = [
        _("the won %(die)s for the %(face)s") % {"die": size, "face": face}
        for size, face in zip(SIZES, fact.dice, strict=True)
        if size in fact.replaced
    ]
    sentence = text % values
    if fact.late:
        sentence = _("Recorded after the hand: %(what)s") % {"what": sentence}
    if swaps:
        sentence = _("%(what)s, with %(dice)s") % {"what": sentence, "dice": names(swaps)}
    marks = ["out" if size in fact.replaced else "plain" for size in SIZES]
    rules = ["RV2"] if fact.late else ["RV4", "RV5"] if swaps else ["RV5"]
    return {**_dice(fact.dice, SIDES), "marks": marks, **line("throw", sentence, rules)}


def _of_the_auction(fact: Fact) -> Line | None:
    match fact:
        case river.BidMade(player=player, die=die, amount=amount):
            values = {"name": player, "die": die, "amount": money(amount)}
            return line("bid", _("%(name)s bids %(amount)s for the %(die)s") % values, ["RV3"])
        case river.BidPassed(player=player, die=die):
            values = {"name": player, "die": die}
            return line("bid", _("%(name)s passes on the %(die)s") % values, ["RV3"])
        case river.LotSold(player=player, die=die, face=face, amount=amount):
            values = {"name": player, "die": die, "amount": money(amount)}
            sentence = _("The %(die)s is sold to %(name)s for %(amount)s") % values
            size = SIDES[SIZES.index(die)]
            return {**_dice((face,), (size,)), **line("sold", sentence, ["RV3"])}
        case river.LotWithdrawn(die=die):
            sentence = _("Nobody bids for the %(die)s: withdrawn") % {"die": die}
            return line("withdrawn", sentence, ["RV3"])
        case _:
            return None


def _of_the_round(fact: Fact) -> Line | None:
    match fact:
        case river.RoundStarted(round=number, price=price):
            values = {"round": number, "price": money(price)}
            return line(
                "ante", _("Round %(round)s: five dice for %(price)s each") % values, ["RV1"]
            )
        case river.TieCalled(players=players):
            sentence = _("Equal hands: %(names)s throw a d12 each") % {"names": names(players)}
            return line("tie", sentence, ["RV6"])
        case river.RoundWon():
            return line("won", describe_win(fact), list(fact.rules))
        case river.RoundVoided(round=number, rules=rules):
            return line("void", _("Round %(round)s is void") % {"round": number}, list(rules))
        case _:
            return None


def describe_win(fact: river.RoundWon) -> str:
    if fact.rank is None:
        return _("%(name)s is the only one left and takes the pot") % {"name": fact.winners[0]}
    values = {"names": names(fact.winners), "hand": table.row(TABLE[fact.rank - 1][0])}
    if len(fact.winners) > 1:
        return _("%(names)s share the pot with %(hand)s") % values
    return _("%(names)s takes the pot with %(hand)s") % values


def _of_people(fact: Fact) -> Line | None:
    match fact:
        case river.GameOpened():
            return line("open", _("The game is open"), ["RV1"])
        case river.DiceBought(player=player):
            sentence = _("%(name)s buys five dice, too") % {"name": player}
            return line("ante", sentence, ["RV1", "G1"])
        case river.PlayerLeft(player=player, rules=rules):
            forfeits = _("%(name)s leaves and forfeits what was paid")
            text = forfeits if "RV7" in rules else _("%(name)s leaves")
            return line("leave", text % {"name": player}, list(rules))
        case river.GameEnded(rules=rules):
            return line("close", _("The game is over"), list(rules))
        case _:
            return None


def _dice(faces: Sequence[int], sides: Sequence[int]) -> Line:
    return {
        "kind": "throw",
        "rules": [],
        "dice": list(faces),
        "sides": list(sides),
        "marks": ["plain"] * len(faces),
    }


def _fitting(faces: Sequence[int]) -> list[int]:
    """
    Sizes for the faces of a no throw, which does not record the dice: those of a usual throw if the
    faces are possible with them, else the largest.
    """
    usual = list(SIDES[: len(faces)]) if len(faces) > 1 else [ROLL_OFF_SIDES]
    fits = all(face <= sides for face, sides in zip(faces, usual, strict=True))
    return usual if fits else [ROLL_OFF_SIDES] * len(faces)
