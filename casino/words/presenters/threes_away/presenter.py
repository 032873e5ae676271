"""Presenter of Threes Away: whose turn it is and why, and what happened."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.words.languages.amounts import money
from casino.words.presenters.presenter import Presenter, line
from casino.words.presenters.words import names
from games.messages import PlayerJoined
from games.payments import ROLLOVER, balance
from games.threes_away import messages as threes
from games.threes_away.hands import SIDES, ZERO, value_of_face
from games.threes_away.rules import bust_above
from games.threes_away.state import Ended, Playing, Running

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from casino.words.presenters.presenter import Course, Figures, Line, SeatState, Upcoming
    from games.messages import Fact
    from games.payments import Payment

BUST: Final = "bust"
NOTHING: Final = {
    1: gettext_lazy("ones count nothing"),
    2: gettext_lazy("twos count nothing"),
    3: gettext_lazy("threes count nothing"),
    4: gettext_lazy("fours count nothing"),
    5: gettext_lazy("fives count nothing"),
    6: gettext_lazy("sixes count nothing"),
}


class ThreesAway(Presenter):
    SIZES = (SIDES,)

    def upcoming(self, game: Course, view: Mapping[str, Any]) -> Upcoming:
        state = game.state.inner
        may, player = view["next"]["may"], next(iter(view["next"]["players"]), None)
        throws = "throw" in may and isinstance(state, Playing) and isinstance(state.round, Running)
        return {
            "sentence": self.over(state) if isinstance(state, Ended) else _sentence(state, player),
            "player": player,
            "may": may,
            "dice": [SIDES] * state.round.turn.dice if throws else [],
        }

    def over(self, state: Any) -> str:
        del state
        return _("The game is closed")

    def figures(self, state: Any) -> Figures:
        if not isinstance(state, Playing):
            return {"pot": state.pot}
        this = state.round
        running: Figures = {}
        if isinstance(this, Running):
            running = {"limit": this.limit, "carried": _coins_carried(state, this) or None}
        return {
            "pot": state.pot,
            "ante": state.ante,
            "awaited": state.awaited or None,
            **running,
        }

    def mode(self, game: Course) -> tuple[str, str]:
        """The options that change every throw, as option values and in words."""
        options = game.state.inner.opened.options
        text: dict[str, str] = {}
        if options.progressive != "no":
            text[options.progressive] = _("progressive")
        if options.zero != ZERO:
            text[f"zero-{options.zero}"] = str(NOTHING[options.zero])
        return " ".join(text), ", ".join(text.values())

    def closing(self, state: Any) -> str:
        """What closing does: antes go back, what was carried over rolls over (G9, TA10)."""
        this = state.round
        running = isinstance(this, Running)
        rolls = _coins_carried(state, this) if running else state.pot
        values = {
            "round": this.number,
            "back": money(state.pot - rolls),
            "rolls": money(rolls),
            "awaited": money(state.awaited),
        }
        text = {
            _("Round %(round)s is void: %(back)s in antes go back."): running,
            _("What was carried, %(rolls)s, rolls over to the house's next game."): rolls,
            _("What is on its way, %(awaited)s, waits for it too."): state.awaited,
        }
        rules = "G9, TA10" if rolls or state.awaited else "G9"
        return " ".join([*(each % values for each, holds in text.items() if holds), rules])

    def leaving(self, state: Any) -> str:
        """What leaving costs: the ante goes back, unless the player plays the pot off (G1, TA6)."""
        this = state.round
        among = this.coming.among if isinstance(this, Running) else this.among
        if among:
            return _("The ante goes back; who plays the pot off gives it up. G1, TA6")
        return _("The ante of a round that has not begun goes back. G1")

    def hand_of(self, game: Course, view: Mapping[str, Any], player: str) -> SeatState:
        turn, score = view["turn"], view["scores"].get(player)
        on_turn = turn is not None and turn["player"] == player
        kept = [face for face, _counts in dice_kept(game, player)]
        lying = list(turn["thrown"]) if on_turn else []
        words = _score(view["scores"], player)
        if on_turn and kept:
            words = _("%(total)s so far") % {"total": turn["total"]}
        elif lying:
            words = _("to keep")
        return {
            "hand": None,
            "score": None,
            "dice": [*kept, *lying] or None,
            "marks": ["out" if score == BUST else "kept"] * len(kept) + ["plain"] * len(lying),
            "words": words,
            "state": _standing(game, view, player),
        }

    def of_the_game(self, game: Course, fact: Fact) -> Line | None:
        del game
        return describe(fact)

    def own(self, game: Course, view: Mapping[str, Any]) -> dict[str, Any]:
        """
        The running turn, for the entry on the board.

        lying: the faces of the throw, of which some have to be kept; counts: what each counts; all:
            the total if all are kept.
        kept, kept_counts: the same for dice kept before; `kept_counts` is empty in a game without
            bottoms. total: their sum; left: how many dice still have to be kept.
        above: the total above which the turn is lost (TA3), None if there is none; `by`: the
            players who have that total.
        bottoms: whether they may be called (TA8); called: whether they were, for this throw.
        rolled: what the pot of an ended game left for the next one (TA10).
        """
        del view  # it does not say what dice count
        state = game.state.inner
        if not isinstance(state, Playing) or not isinstance(state.round, Running):
            return {"rolled": _coins_rolled_over(game) if isinstance(state, Ended) else 0}
        options, this, turn = state.opened.options, state.round, state.round.turn
        above = bust_above(this.done, options.bust)
        counts = [
            value_of_face(face, zero=options.zero, bottoms=turn.bottoms) for face in turn.thrown
        ]
        all_kept, kept = turn.total + sum(counts), dice_kept(game, this.thrower)
        return {
            "lying": list(turn.thrown),
            "counts": counts,
            "all": all_kept,
            "kept": [face for face, _counts in kept],
            "kept_counts": [each for _face, each in kept] if options.bottoms else [],
            "total": turn.total,
            "left": turn.dice,
            "above": above,
            "by": [each.player for each in this.done if not each.bust and each.total == above],
            "bottoms": options.bottoms,
            "called": turn.bottoms,
        }


def _coins_carried(state: Playing, this: Running) -> int:
    """The coins in the pot that were carried over, not paid in this round."""
    return state.pot - sum(payment.amount for payment in this.staked)


def _coins_rolled_over(game: Course) -> int:
    """The coins that the end of the game put into the house's rollover (TA10)."""
    ends = (fact for _, fact in reversed(game.live) if isinstance(fact, threes.GameEnded))
    return balance(ROLLOVER, next(ends).payments)


def _sentence(state: Any, player: str | None) -> str:
    this = state.round
    if not isinstance(this, Running):
        tied = _("The play-off waits until two of the tied can ante")
        return tied if this.among else _("Waiting until two can ante")
    if this.thrown:
        return _("Everybody has thrown: round %(round)s ends") % {"round": this.number}
    if this.turn.thrown or this.turn.kept:
        return _in_the_middle(this, player)
    if this.coming.among:
        return _("Play-off: %(name)s to throw") % {"name": player}
    return _("%(name)s to throw") % {"name": player}


def _in_the_middle(this: Running, player: str | None) -> str:
    """The next action in a turn in which something has been thrown or kept."""
    values, last = {"name": player, "count": this.turn.dice}, this.turn.dice == 1
    match bool(this.turn.thrown), last:
        case True, True:
            text = _("%(name)s keeps the last die")
        case True, False:
            text = _("%(name)s keeps one or more")
        case False, True:
            text = _("%(name)s throws the last die")
        case _:
            text = _("%(name)s throws the other %(count)s")
    return text % values


def _standing(game: Course, view: Mapping[str, Any], player: str) -> str:
    if player in view["out"]:
        return "left" if _has_left(game, player) else "out"
    if player in view["next"]["players"]:
        return "to_throw"
    if player in view["sitting_out"]:
        return "sitting_out"
    if player not in view["scores"]:
        return "waiting"
    return "bust" if view["scores"][player] == BUST else "thrown"


def _score(scores: Mapping[str, int | str], player: str) -> str:
    """A finished turn in words; the lowest of the round is marked: it is the one to beat."""
    score = scores.get(player)
    if score is None:
        return ""
    if score == BUST:
        return _("bust")
    lowest = min(each for each in scores.values() if isinstance(each, int))
    text = _("%(total)s, lowest") if score == lowest else "%(total)s"
    return text % {"total": score}


def _has_left(game: Course, player: str) -> bool:
    for _number, fact in reversed(game.live):
        if isinstance(fact, threes.PlayerLeft | PlayerJoined) and fact.player == player:
            return isinstance(fact, threes.PlayerLeft)
    return False


def dice_kept(game: Course, player: str) -> list[tuple[int, int]]:
    """The dice that a player has kept in the running round: upper face, and its count (TA8)."""
    zero = game.state.inner.opened.options.zero
    bottoms, kept = False, []
    for fact in _running(game):
        if isinstance(fact, threes.DiceThrown):
            bottoms = fact.bottoms
        elif isinstance(fact, threes.DiceKept) and fact.player == player:
            kept += [(face, value_of_face(face, zero=zero, bottoms=bottoms)) for face in fact.dice]
    return kept


def _running(game: Course) -> list[Fact]:
    """The valid events since the last round ended."""
    happened: list[Fact] = []
    for _number, fact in reversed(game.live):
        if fact.ends_round:
            break
        happened.append(fact)
    return happened[::-1]


# The events of Threes Away as lines of the log, including what an event costs all players.


def describe(fact: Fact) -> Line | None:
    """A log line for an event of this game; None for an event that all games share."""
    return _of_the_turn(fact) or _of_the_round(fact) or _of_the_pot(fact) or _of_people(fact)


def _of_the_turn(fact: Fact) -> Line | None:
    match fact:
        case threes.DiceThrown(player=player, dice=dice, bottoms=bottoms):
            text = _("%(name)s calls bottoms") if bottoms else "%(name)s"
            rules = ["TA8"] if bottoms else []
            return {**_dice(dice, "plain"), **line("throw", text % {"name": player}, rules)}
        case threes.DiceKept(player=player, dice=dice, total=total):
            text = _("%(name)s keeps, in all %(total)s") % {"name": player, "total": total}
            return {**_dice(dice, "kept"), **line("keep", text, ["TA2"])}
        case threes.TurnEnded(bust=True):
            values = {"name": fact.player, "total": fact.total}
            return line("bust", _("%(name)s is bust with %(total)s") % values, fact.rules)
        case threes.TurnEnded():
            return line("taken", _describe_turn(fact), fact.rules)
        case _:
            return None


def _describe_turn(fact: threes.TurnEnded) -> str:
    """The sentence for a finished turn, with what a zero costs all players (TA4)."""
    values = {"name": fact.player, "total": fact.total, "ante": money(_most(fact.payments))}
    if fact.payments:
        return _("%(name)s finishes with zero: all ante another %(ante)s") % values
    return _("%(name)s finishes with %(total)s") % values


def _most(payments: Sequence[Payment]) -> int:
    """The full ante: the largest payment, since some pay only what they have left (G2)."""
    return max((payment.amount for payment in payments), default=0)


def _of_the_round(fact: Fact) -> Line | None:
    match fact:
        case threes.RoundStarted(waiting=waiting, limit=limit):
            cited = {"TA1": True, "TA6": bool(waiting), "TA7": limit is not None}
            return line(
                "ante", _describe_start(fact), [rule for rule, holds in cited.items() if holds]
            )
        case threes.RoundWon(rules=rules):
            return line("won", _describe_win(fact), rules)
        case threes.RoundTied():
            return line("tie", _describe_tie(fact), fact.rules)
        case threes.RoundRolledOver(limit=limit, rules=rules):
            nobody = _("Nobody has %(limit)s or less: the pot rolls over")
            nobody = nobody if limit else _("Nobody has zero: the pot rolls over")
            return line("tie", nobody % {"limit": limit}, rules)
        case threes.RoundVoided(round=number, rules=rules):
            return line("void", _("Round %(round)s is void") % {"round": number}, rules)
        case _:
            return None


def _describe_start(fact: threes.RoundStarted) -> str:
    values = {"round": fact.round, "limit": fact.limit, "names": names(fact.order)}
    parts = [_antes(fact)]
    if fact.limit is not None:
        wins = _("%(limit)s or less wins") if fact.limit else _("only zero wins")
        parts.insert(0, wins % values)
    if fact.waiting:
        parts.insert(0, _("%(names)s play it off") % values)
    return _("Round %(round)s: %(parts)s") % {**values, "parts": ", ".join(parts)}


def _antes(fact: threes.RoundStarted) -> str:
    """The words for who puts an ante into the pot."""
    payers = [payment.payer for payment in fact.payments]
    values = {"names": names(payers), "ante": money(_most(fact.payments))}
    match len(payers):
        case 0:
            return _("no other ante")
        case 1:
            return _("%(names)s antes %(ante)s") % values
        case many if many == len(fact.order) + len(fact.waiting):
            return _("all ante %(ante)s") % values
        case _:
            return _("%(names)s ante %(ante)s") % values


def _describe_win(fact: threes.RoundWon) -> str:
    values = {
        "name": fact.winner,
        "total": fact.total,
        "round": fact.round,
        "prize": money(balance(fact.winner, fact.payments)),
    }
    if fact.total is None:
        return _("%(name)s is left alone and takes %(prize)s") % values
    return _("%(name)s wins round %(round)s with %(total)s and takes %(prize)s") % values


def _describe_tie(fact: threes.RoundTied) -> str:
    values = {"names": names(fact.players), "total": fact.total}
    if fact.total == 0:
        return _("Tie at zero: %(names)s play it off") % values
    if fact.among:
        return _("Tie at %(total)s, %(names)s: all who play it off throw again") % values
    return _("Tie at %(total)s, %(names)s: one tie, all tie") % values


def _of_the_pot(fact: Fact) -> Line | None:
    match fact:
        case threes.RolloverDrawn(amount=amount):
            sentence = _("%(amount)s rolled over from the game before") % {"amount": money(amount)}
            return line("rollover", sentence, ["TA10"])
        case threes.RolloverArrived(amount=amount):
            sentence = _("%(amount)s that were on their way have arrived") % {
                "amount": money(amount)
            }
            return line("rollover", sentence, ["TA10"])
        case threes.GameEnded(payments=payments, rules=rules):
            rolled = {"amount": money(balance(ROLLOVER, payments))}
            rolls = _("%(amount)s roll over to the house's next game") % rolled
            return line("close", rolls if payments else _("The game is over"), rules)
        case _:
            return None


def _of_people(fact: Fact) -> Line | None:
    match fact:
        case threes.GameOpened():
            return line("open", _("The game is open"), ["TA1"])
        case threes.LateAntePaid(player=player, payments=payments):
            values = {"name": player, "ante": money(_most(payments))}
            return line("ante", _("%(name)s antes %(ante)s and is in it") % values, ["G1", "TA10"])
        case threes.PlayerLeft(player=player, rules=rules):
            return line("leave", _("%(name)s leaves") % {"name": player}, rules)
        case _:
            return None


def _dice(faces: tuple[int, ...], mark: str) -> Line:
    count = len(faces)
    return {
        "kind": "throw",
        "rules": [],
        "dice": list(faces),
        "sides": [SIDES] * count,
        "marks": [mark] * count,
    }
