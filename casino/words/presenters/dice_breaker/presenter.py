"""
Presenter of Dice Breaker: whose die is thrown, what it broke, what a round is worth; and the data
of its arena for screens.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from casino.words.presenters.presenter import Presenter, line
from casino.words.presenters.words import exactly, hand, names, the_dice_decide
from games.dice_breaker import messages as breaker
from games.dice_breaker.arena import LATENT, TRUMP, may_hit
from games.dice_breaker.hands import HIGHEST, SIDES
from games.dice_breaker.state import Breaking, Ended, Playing
from games.dice_breaker.view import throwable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from fractions import Fraction

    from casino.words.presenters.presenter import Course, Figures, Line, SeatState, Upcoming
    from games.dice_breaker.arena import Round
    from games.messages import Fact

MODES: Final = {"quick": gettext_lazy("quick play"), "battle": gettext_lazy("battle")}


class DiceBreaker(Presenter):
    SIZES = (SIDES,)

    def mode(self, game: Course) -> tuple[str, str]:
        mode = opening_of(game).options.mode
        return mode, str(MODES[mode])

    def for_money(self, game: Course) -> bool:
        return opening_of(game).options.ante > 0

    def upcoming(self, game: Course, view: Mapping[str, Any]) -> Upcoming:
        state = game.state.inner
        may, players = view["next"]["may"], view["next"]["players"]
        if not isinstance(state, Playing):
            return {"sentence": self.over(state), "player": None, "may": may, "dice": []}
        return {
            "sentence": _breaking(state.breaking) if state.breaking else _throwing(state),
            "player": players[0] if len(players) == 1 else None,
            "may": may,
            "dice": [SIDES] if state.breaking or state.round.turn else [],
        }

    def over(self, state: Any) -> str:
        winners = state.winners if isinstance(state, Ended) else ()
        if len(winners) > 1:
            return _("%(names)s share the win") % {"names": names(winners)}
        won = _("%(name)s wins the game")
        return won % {"name": winners[0]} if winners else _("The game is closed")

    def figures(self, state: Any) -> Figures:
        if not isinstance(state, Playing | Ended):
            return {}
        options = state.opened.options
        money: Figures = (
            {"pot": state.pot, "ante": options.ante * options.unit} if options.ante else {}
        )
        return {**money, "target": options.target}

    def hand_of(self, game: Course, view: Mapping[str, Any], player: str) -> SeatState:
        seats = list(view["stakes"])
        held = view["hands"].get(player, {"hand": None, "to_throw": []})
        lying = counting(view, player)
        seat: SeatState = {
            "hand": held["hand"] if lying else None,
            "score": None,
            "dice": [row["face"] for row in lying] or None,
            "owners": [number_of(row["die"], seats) for row in lying],
            "state": _standing(view, player, thrown=not held["to_throw"]),
            "owner": seats.index(player) + 1,
        }
        last = _last_hand(game, player) if view["status"] == "closed" else None
        return {**seat, "hand": last.hand, "dice": list(last.dice)} if last else seat

    def own(self, game: Course, view: Mapping[str, Any]) -> dict[str, Any]:
        return arena(game, view)

    def called(self, die: str) -> str:
        return name_die(die)

    def closing(self, state: Any) -> str:
        if isinstance(state, Playing) and state.pot:
            return _("The running round is void; those in the game share the pot. G9")
        return _("The running round is void and nobody wins. G9")

    def leaving(self, state: Any) -> str:
        ante = isinstance(state, Playing) and state.opened.options.ante
        return _("The ante goes back. G1") if ante else ""

    def of_the_game(self, game: Course, fact: Fact) -> Line | None:
        seats = list(game.state.inner.stakes)
        return _of_the_dice(fact, seats) or _of_the_round(fact) or _of_people(fact)


def opening_of(game: Course) -> breaker.GameOpened:
    fact = game.facts[0]
    if not isinstance(fact, breaker.GameOpened):
        raise TypeError("A game begins with its opening.")
    return fact


def _breaking(breaking: Breaking) -> str:
    """The next action at the start: who still has to break the starting die (DB1)."""
    due = breaking.due
    if not due:
        return the_dice_decide()
    values = {"names": names(due), "count": len(due)}
    if breaking.again:
        return (
            _("Tie: %(names)s break again") % values
            if len(due) > 1
            else _("%(names)s breaks again") % values
        )
    if len(due) == len(breaking.players):
        return _("Everybody breaks the starting die")
    if len(due) > 1:
        return _("%(count)s still break the starting die") % values
    return _("%(names)s breaks the starting die") % values


def _throwing(state: Playing) -> str:
    this = state.round
    if this.turn is None:
        return _("%(name)s's last die spins") % {"name": this.thrower}
    name = {"name": this.turn, "left": len(this.hands[this.turn])}
    if state.battle and not this.begun:
        sentence = _("%(name)s throws the trump")
    elif len(this.hands[this.turn]) == 1:
        sentence = _("%(name)s throws the last die")
    elif state.battle:
        sentence = _("%(name)s throws a die")
    else:
        sentence = _("%(name)s throws, %(left)s dice left")
    return (
        _("Play-off: %(said)s") % {"said": sentence % name} if state.play_off else sentence % name
    )


def _standing(view: Mapping[str, Any], player: str, *, thrown: bool) -> str:
    if player in view["out"]:
        return "left"
    if player in view["next"]["players"]:
        return "to_throw"
    if view["play_off"] and player not in view["play_off"]:
        return "sitting_out"
    return "thrown" if thrown and player in view["hands"] else "waiting"


def _last_hand(game: Course, player: str) -> breaker.FinalHand | None:
    """A player's hand in the last round of the game; None if that round is void."""
    for _number, fact in reversed(game.live):
        if isinstance(fact, breaker.RoundScored):
            return {each.player: each for each in fact.hands}.get(player)
        if isinstance(fact, breaker.RoundVoided):
            return None
    return None


def _of_the_dice(fact: Fact, seats: list[str]) -> Line | None:
    match fact:
        case breaker.DieThrown():
            return _line_of_throw(fact, seats)
        case breaker.DieRested(player=player):
            sentence = _("%(name)s's die has come to rest") % {"name": player}
            return line("stand", sentence, ["DB10"])
        case breaker.StartBroken(player=player, value=value):
            sentence = _("%(name)s breaks the starting die") % {"name": player}
            return {**_die(value, TRUMP), **line("throw", sentence, ["DB1"])}
        case breaker.StartTied(players=players):
            sentence = _("Tie for lowest: %(names)s break again") % {"names": names(players)}
            return line("tie", sentence, ["DB1"])
        case breaker.StartSettled(player=player):
            return line("start", _("%(name)s starts") % {"name": player}, ["DB1"])
        case _:
            return None


def _line_of_throw(fact: breaker.DieThrown, seats: list[str]) -> Line:
    values = {"what": ", ".join([_hitting(fact), *_describe_left(fact)]), "hand": hand(fact.hand)}
    entry = line("throw", _("%(what)s: %(hand)s") % values, _rules(fact))
    if fact.value is None:
        return entry
    return {**_die(fact.value, number_of(fact.die, seats)), **entry}


def _hitting(fact: breaker.DieThrown) -> str:
    """A throw in words: who threw which die, and which dice it broke."""
    thrown = _threw(fact)
    if not fact.breaks:
        return thrown
    to = _("%(die)s to %(face)s")
    broken = [to % {"die": name_die(each.die), "face": each.value} for each in fact.breaks]
    breaks = _("%(thrown)s breaks %(dice)s")
    if thrown != fact.player:
        breaks = _("%(thrown)s, breaks %(dice)s")
    return breaks % {"thrown": thrown, "dice": names(broken)}


def _threw(fact: breaker.DieThrown) -> str:
    """Who threw which die, in words; only the name for a die of one's own that lies there."""
    own = fact.die[:-1] == fact.player
    values = {"name": fact.player, "die": fact.die[-1] if own else name_die(fact.die)}
    match fact.lies:
        case "out":
            own_die, other = _("%(name)s's die %(die)s is out"), _("%(name)s throws %(die)s out")
        case "caught":
            values["by"] = next(each.by for each in fact.caught if each.die == fact.die)
            own_die = _("%(by)s catches %(name)s's die %(die)s")
            other = _("%(name)s throws %(die)s, %(by)s catches it")
        case "corner":
            own_die = other = _("%(name)s throws %(die)s, which goes back")
        case _:
            own_die, other = "%(name)s", _("%(name)s throws %(die)s")
    return (own_die if own else other) % values


def _describe_left(fact: breaker.DieThrown) -> Iterator[str]:
    """Further parts of a throw in words: other dice out or caught, and a die that spins."""
    for die in fact.out:
        if die != fact.die:
            yield _("%(die)s is out") % {"die": name_die(die)}
    for catch in fact.caught:
        if catch.die != fact.die:
            yield _("%(name)s catches %(die)s") % {"name": catch.by, "die": name_die(catch.die)}
    if fact.spinning:
        yield _("a die spins")


def _rules(fact: breaker.DieThrown) -> list[str]:
    holds = {
        "DB9": fact.die == TRUMP,
        "DB10": fact.die in LATENT or fact.spinning,
        "DB2": bool(fact.breaks),
        "DB8": bool(fact.out or fact.caught),
    }
    return [rule for rule, true in holds.items() if true]


def _of_the_round(fact: Fact) -> Line | None:
    match fact:
        case breaker.RoundScored():
            return line("won", _describe_score(fact), list(fact.rules))
        case breaker.RoundVoided(round=number, rules=rules):
            return line("void", _("Round %(round)s is void") % {"round": number}, list(rules))
        case breaker.GameEnded(winners=winners, rules=rules) if len(winners) > 1:
            return line(
                "won", _("%(names)s share the win") % {"names": names(winners)}, list(rules)
            )
        case breaker.GameEnded(winners=winners, rules=rules):
            won = _("%(names)s wins the game") % {"names": names(winners)}
            return line("won", won if winners else _("The game is over"), list(rules))
        case _:
            return None


def _describe_score(fact: breaker.RoundScored) -> str:
    """The sentence for a scored round: who had the highest hand, and the points for each (DB5)."""
    if not fact.winners:
        return _("Round %(round)s: nobody has anything") % {"round": fact.round}
    best = next(each.hand for each in fact.hands if each.player in fact.winners)
    values = {"names": names(fact.winners), "round": fact.round, "hand": hand(best)}
    if best == HIGHEST:
        return _("Round %(round)s: %(names)s with %(hand)s") % values
    values["score"] = _in_points(fact.scores[0][1])
    shared = len(fact.winners) > 1
    each = _("Round %(round)s: %(names)s with %(hand)s, %(score)s each")
    text = (each if shared else _("Round %(round)s: %(names)s with %(hand)s, %(score)s")) % values
    again = _("%(said)s; %(names)s play it off") % {"said": text, "names": names(fact.play_off)}
    return again if fact.play_off else text


def _in_points(score: Fraction) -> str:
    text = ngettext("%(points)s point", "%(points)s points", 1 if score == 1 else 2)
    return text % {"points": exactly(score)}


def _of_people(fact: Fact) -> Line | None:
    match fact:
        case breaker.GameOpened():
            return line("open", _("The game is open"), ["DB1"])
        case breaker.AntesPaid(payments=payments):
            values = {"names": names([each.payer for each in payments])}
            text = ngettext("%(names)s antes", "%(names)s ante", len(payments))
            return line("ante", text % values, ["DB11"])
        case breaker.PlayerLeft(player=player, rules=rules):
            return line("leave", _("%(name)s leaves") % {"name": player}, list(rules))
        case _:
            return None


def _die(face: int, owner: int | str | None) -> Line:
    drawn: Line = {
        "kind": "throw",
        "rules": [],
        "dice": [face],
        "sides": [SIDES],
        "marks": ["plain"],
    }
    return {**drawn, "owner": owner} if owner is not None else drawn


# The data of Dice Breaker's arena for screens: where each die is, and what may be done with it.


# The letter key of each seat. Other letters have another meaning on the table's screen.
LETTERS: Final = "abcdefghijmqrvwxyz"

Die = dict[str, Any]


def arena(game: Course, view: Mapping[str, Any]) -> dict[str, Any]:
    """
    The data for the game's own parts of the screen.

    phase: start (while the starting die is being broken, DB1), play or over.
    rows: one for each seat, in the board's order; see `_row`.
    trump, latent: in a battle, the dice that belong to nobody, as made by `_die`.
    next_die: the die that is thrown unless somebody chooses another.
    latent_live: whether a latent die may be thrown once somebody says that a die spins; spinning:
        whether somebody has said so.
    spins: the dice at which a latent die may be thrown.
    """
    state, seats = game.state.inner, list(view["stakes"])
    if not isinstance(state, Playing):
        return {"phase": "over", "rows": [{} for _player in seats]}
    this, starting = state.round, _starting(state)
    dice = {row["die"]: _die_in_arena(row, seats, this) for row in view["arena"]}
    return {
        "phase": "start" if state.breaking else "play",
        "battle": state.battle and bool(dice),
        "rows": [
            {**_row(player, place, view, dice), **starting.get(player, {})}
            for place, player in enumerate(seats)
        ],
        "trump": dice.get(TRUMP),
        "latent": [dice[die] for die in LATENT if die in dice],
        "next_die": throwable(this, this.turn)[0] if this.turn else None,
        "latent_live": bool(this.corner and this.moving),
        "spinning": this.spinning,
        "spins": [name_die(die) for die in this.moving],
    }


def name_die(die: str) -> str:
    """The name of a die in words: the trump, latent 2, Ada 3."""
    if die == TRUMP:
        return _("the trump")
    if die in LATENT:
        return _("latent %(number)s") % {"number": die[-1]}
    return f"{die[:-1]} {die[-1]}"


def counting(view: Mapping[str, Any], player: str) -> list[Mapping[str, Any]]:
    """The report's rows of dice in the arena that count for a player, including the trump."""
    lying = [row for row in view["arena"] if row["place"] == "arena"]
    return [row for row in lying if player in view["hands"] and row["owner"] in {player, None}]


def number_of(die: str, seats: list[str]) -> int | str | None:
    """
    The colour in which a die is drawn: the number of its seat from 1, `trump`, or None if it
    belongs to nobody, for example because a void cancelled its player's seat.
    """
    if die == TRUMP:
        return TRUMP
    return seats.index(die[:-1]) + 1 if die[:-1] in seats else None


def _die_in_arena(row: Mapping[str, Any], seats: list[str], this: Round) -> Die:
    """
    One die. hit: the next throw may break it. throw: it may be the die of the next throw.

    `place`, `owner` and `face` are those of the report: the owner is the player for whom the die
    counts, or who holds it.
    """
    die = row["die"]
    mine = throwable(this, this.turn) if this.turn else ()
    hitter = this.turn or this.thrower
    return {
        "name": die,
        "called": name_die(die),
        "number": int(die[-1]) if row["set"] else None,
        "colour": number_of(die, seats),
        "set": row["set"],
        "owner": row["owner"],
        "place": row["place"],
        "face": row["face"],
        "hit": hitter is not None and may_hit(this, hitter, die),
        "throw": die in mine,
    }


def _row(
    player: str, place: int, view: Mapping[str, Any], dice: Mapping[str, Die]
) -> dict[str, Any]:
    """
    The dice of a seat. places: its own five, wherever they are. more: other dice in the arena that
    count for it. caught: dice of others that it holds and has to throw. out: dice it has lost.
    """
    held = view["hands"].get(player, {"points": "0"})
    counting = [die for die in dice.values() if die["owner"] == player]
    strange = [die for die in counting if die["set"] != player]
    return {
        "letter": LETTERS[place] if place < len(LETTERS) else "",
        "worth": held["points"],
        "plays": player in view["hands"],
        "places": [die for die in dice.values() if die["set"] == player],
        "more": [die for die in strange if die["place"] == "arena"],
        "caught": [die for die in strange if die["place"] == "caught"],
        "out": [die for die in counting if die["place"] == "out"],
    }


def _starting(state: Playing) -> dict[str, dict[str, Any]]:
    """For each player of the start (DB1): whether they still have to throw, and the face."""
    if state.breaking is None:
        return {}
    faces = state.breaking.faces
    return {
        player: {"due": player not in faces, "start": faces.get(player)}
        for player in state.breaking.players
    }
