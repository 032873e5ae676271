"""Every event of Threes Away as it is said at the table, and what closing it would do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from casino.words.presenters import PRESENTERS
from games.payments import HOUSE, POT, ROLLOVER, Payment
from games.threes_away import messages as threes
from games.threes_away.state import Coming, Playing, Running

if TYPE_CHECKING:
    from games.messages import Fact

ABC = ("Ada", "Bo", "Cyd")
TELLER = PRESENTERS["threes-away"]


def antes(*players: str, coins: int = 2, rule: str = "TA1") -> tuple[Payment, ...]:
    return tuple(Payment(player, POT, coins, (rule,)) for player in players)


OPENED = threes.GameOpened(rules_version=1, players=(), first="Ada")
ZERO = threes.TurnEnded("Ada", 0, payments=antes(*ABC, rule="TA4"), rules=("TA2", "TA4"))
WON = threes.RoundWon(
    round=4,
    winner="Bo",
    total=3,
    first="Bo",
    payments=(Payment(POT, HOUSE, 1, ("G6",)), Payment(POT, "Bo", 11, ("TA1",))),
    rules=("TA1", "TA9"),
)
STAYED = threes.RoundWon(
    round=4, winner="Bo", total=None, first="Bo", payments=(Payment(POT, "Bo", 9, ("TA6",)),)
)
TIED = threes.RoundTied(round=2, players=("Ada", "Bo"), total=4, first="Ada", rules=("TA5",))
AT_ZERO = threes.RoundTied(round=2, players=("Ada", "Bo"), total=0, first="Ada", among=ABC[:2])
AGAIN = threes.RoundTied(round=2, players=("Ada", "Bo"), total=4, first="Ada", among=ABC)
BROUGHT = (Payment(ROLLOVER, POT, 7, ("TA10",)),)
LEFT = (Payment(POT, ROLLOVER, 7, ("G9", "TA10")),)

SAID: list[tuple[Fact, str, str]] = [
    # TA1, TA6, TA7: who antes, who throws, and what wins.
    (threes.RoundStarted(1, ABC, payments=antes(*ABC)), "Round 1: all ante 2", "TA1"),
    (threes.RoundStarted(2, ABC), "Round 2: no other ante", "TA1"),
    (threes.RoundStarted(2, ABC, payments=antes("Cyd")), "Round 2: Cyd antes 2", "TA1"),
    (threes.RoundStarted(2, ABC, payments=antes("Bo", "Cyd")), "Round 2: Bo and Cyd ante 2", "TA1"),
    (
        threes.RoundStarted(1, ABC, limit=0, payments=antes(*ABC)),
        "Round 1: only zero wins, all ante 2",
        "TA1 TA7",
    ),
    (
        threes.RoundStarted(3, ABC, limit=2, payments=antes(*ABC)),
        "Round 3: 2 or less wins, all ante 2",
        "TA1 TA7",
    ),
    (
        threes.RoundStarted(3, ABC[:2], waiting=("Cyd",), payments=antes(*ABC)),
        "Round 3: Ada and Bo play it off, all ante 2",
        "TA1 TA6",
    ),
    # TA2, TA3, TA8: the turn.
    (threes.DiceThrown("Ada", (1, 3, 3, 6, 4)), "Ada", ""),
    (threes.DiceThrown("Ada", (1, 3, 3, 6, 4), bottoms=True), "Ada calls bottoms", "TA8"),
    (threes.DiceKept("Ada", (3, 3), 4), "Ada keeps, in all 4", "TA2"),
    (threes.TurnEnded("Ada", 4, rules=("TA2",)), "Ada finishes with 4", "TA2"),
    (threes.TurnEnded("Ada", 9, bust=True, rules=("TA3",)), "Ada is bust with 9", "TA3"),
    # TA4: a zero costs all; nothing where nobody has anything left.
    (ZERO, "Ada finishes with zero: all ante another 2", "TA2 TA4"),
    (threes.TurnEnded("Ada", 0, rules=("TA2", "TA4")), "Ada finishes with 0", "TA2 TA4"),
    # TA5, TA6, TA7, TA9: how a round ends.
    (WON, "Bo wins round 4 with 3 and takes 11", "TA1 TA9"),
    (STAYED, "Bo is left alone and takes 9", ""),
    (TIED, "Tie at 4, Ada and Bo: one tie, all tie", "TA5"),
    (AT_ZERO, "Tie at zero: Ada and Bo play it off", ""),
    (AGAIN, "Tie at 4, Ada and Bo: all who play it off throw again", ""),
    (
        threes.RoundRolledOver(1, ABC[:1], 3, 0, "Ada", rules=("TA7",)),
        "Nobody has zero: the pot rolls over",
        "TA7",
    ),
    (
        threes.RoundRolledOver(2, ABC[:1], 3, 1, "Ada", rules=("TA7",)),
        "Nobody has 1 or less: the pot rolls over",
        "TA7",
    ),
    (threes.RoundVoided(2, "Ada", rules=("G9",)), "Round 2 is void", "G9"),
    # TA10, G1: money from and for another game, and who comes and goes.
    (threes.RolloverDrawn(7, BROUGHT), "7 rolled over from the game before", "TA10"),
    (threes.RolloverArrived(7, BROUGHT), "7 that were on their way have arrived", "TA10"),
    (threes.GameEnded(2, LEFT, ("G9", "TA10")), "7 roll over to the house's next game", "G9 TA10"),
    (threes.GameEnded(2, rules=("G9",)), "The game is over", "G9"),
    (threes.LateAntePaid("Cyd", ABC, antes("Cyd")), "Cyd antes 2 and is in it", "G1 TA10"),
    (threes.PlayerLeft("Cyd", "Ada", rules=("G1",)), "Cyd leaves", "G1"),
    (OPENED, "The game is open", "TA1"),
]

RUNNING = Running(Coming(3, "Ada"), ABC, staked=antes(*ABC))
VOID = "Round 3 is void: 6 in antes go back."
ROLLS = "What was carried, 10, rolls over to the house's next game."
WAITS = "What is on its way, 5, waits for it too."
# fmt: off
CLOSING = [
    # round            pot awaited  what is said
    (RUNNING,            6,  0,     f"{VOID} G9"),
    (RUNNING,           16,  0,     f"{VOID} {ROLLS} G9, TA10"),
    (RUNNING,            6,  5,     f"{VOID} {WAITS} G9, TA10"),
    (Coming(3, "Ada"),   0,  0,     "G9"),
    (Coming(3, "Ada"),  10,  5,     f"{ROLLS} {WAITS} G9, TA10"),
]
# fmt: on


@pytest.mark.parametrize(("fact", "sentence", "rules"), SAID)
def test_every_event_is_a_sentence(fact: Fact, sentence: str, rules: str) -> None:
    line = TELLER.of_the_game(None, fact)  # type: ignore[arg-type]  # it tells the fact alone

    assert line is not None
    assert (line["sentence"], " ".join(line["rules"])) == (sentence, rules)


def test_no_event_of_the_game_is_left_out() -> None:
    events = {
        kind
        for kind in vars(threes).values()
        if isinstance(kind, type)
        and kind.__module__ == threes.__name__
        and hasattr(kind, "is_throw")
    }

    assert events == {type(fact) for fact, _, _ in SAID}


@pytest.mark.parametrize(("this", "pot", "awaited", "sentence"), CLOSING)
def test_closing_is_said_in_amounts(
    this: Coming | Running, pot: int, awaited: int, sentence: str
) -> None:
    state = Playing(OPENED, ABC, dict.fromkeys(ABC, 5), this, pot=pot, awaited=awaited)

    assert TELLER.closing(state) == sentence


BACK = "The ante of a round that has not begun goes back. G1"
GIVEN_UP = "The ante goes back; who plays the pot off gives it up. G1, TA6"
# fmt: off
LEAVING = [
    (RUNNING,                                      BACK),
    (Coming(3, "Ada"),                             BACK),
    (Coming(3, "Ada", among=("Ada", "Bo")),        GIVEN_UP),
    (Running(Coming(3, "Ada", among=ABC), ABC),    GIVEN_UP),
]
# fmt: on


@pytest.mark.parametrize(("this", "sentence"), LEAVING)
def test_leaving_says_what_becomes_of_the_ante(this: Coming | Running, sentence: str) -> None:
    assert TELLER.leaving(Playing(OPENED, ABC, dict.fromkeys(ABC, 5), this)) == sentence
