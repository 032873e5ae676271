"""CG3: the 512 throws, counted all, and what beats what."""

from collections import Counter

import pytest

from games.cinnabar_gate.hands import badness, classify, lower_pay, may_be_home, raise_pay
from games.cinnabar_gate.messages import Options
from games.dice import every_throw
from games.stone import Hand, Runs

HOME = (1, 3, 6)

# fmt: off
COUNTS: list[tuple[Runs, dict[str, int]]] = [
    ("wrap",     {"pair": 168, "run": 48, "triple": 8, "empty": 12, "home": 6, "junk": 258,
                  "show_up": 6, "double_show_up": 6}),
    ("straight", {"pair": 168, "run": 36, "triple": 8, "empty": 12, "home": 6, "junk": 270,
                  "show_up": 6, "double_show_up": 6}),
]

# From best to worst, each better than the next.
LADDERS: list[tuple[Options, list[str]]] = [
    (Options(), ["136", "111", "888", "812", "781", "221", "118", "135", "478", "147"]),
    (Options(junk_order="high"), ["136", "111", "812", "221", "478", "135", "258"]),
    (Options(pair_value=True), ["112", "332", "113", "223", "884"]),
]
TIES: list[tuple[Options, str, str]] = [
    (Options(), "115", "885"),
    (Options(), "135", "238"),
    (Options(), "147", "825"),
    (Options(junk_order="high"), "135", "238"),
    (Options(pair_value=True), "115", "511"),
]
# fmt: on


def hand(digits: str, options: Options) -> Hand:
    return classify(tuple(map(int, digits)), (HOME,), options)


@pytest.mark.parametrize(("runs", "counts"), COUNTS)
def test_the_512_throws_each_make_one_hand(runs: Runs, counts: dict[str, int]) -> None:
    options = Options(runs=runs)

    seen = Counter(classify(dice, (HOME,), options).name for dice in every_throw(3, 8))

    assert seen == counts
    assert sum(seen.values()) == 512


@pytest.mark.parametrize(("options", "ladder"), LADDERS)
def test_each_hand_beats_the_next(options: Options, ladder: list[str]) -> None:
    ranks = [badness(hand(digits, options), options) for digits in ladder]

    assert ranks == sorted(set(ranks))


@pytest.mark.parametrize(("options", "one", "other"), TIES)
def test_equal_hands_are_tied(options: Options, one: str, other: str) -> None:
    assert badness(hand(one, options), options) == badness(hand(other, options), options)


def test_junk_scores_its_middle_number_however_it_lies() -> None:
    assert hand("861", Options()) == Hand("junk", 6)


def test_what_is_a_hand_of_its_own_is_no_home_throw() -> None:
    for faces in ((2, 4, 6), (4, 6, 8), (1, 4, 7), (2, 5, 8), (1, 1, 3), (1, 2, 3), (1, 7, 8)):
        assert not may_be_home(faces, "wrap")
    assert may_be_home((1, 7, 8), "straight")
    assert may_be_home(HOME, "wrap")


# fmt: off
PAYS = [
    # (options, pay, hand thrown, the pay when it is taken, the pay when it is thrown)
    (Options(),                       8, "223", 3, 8),
    (Options(),                       3, "223", 3, 3),
    (Options(),                       2, "223", 2, 2),
    (Options(),                       8, "136", 8, 8),
    (Options(),                       8, "147", 8, 8),
    (Options(pay_lowering="by_one"),  8, "223", 7, 8),
    (Options(pay_lowering="by_one"),  3, "223", 3, 3),
    (Options(),                       8, "246", 8, 9),
    (Options(),                       8, "468", 8, 10),
    (Options(pay_cap=9),              8, "468", 8, 9),
    (Options(pay_cap=5),              8, "246", 8, 8),
    (Options(pay_cap=5),              4, "468", 4, 5),
]
# fmt: on


@pytest.mark.parametrize(("options", "pay", "digits", "taken", "thrown"), PAYS)
def test_the_pay_goes_down_and_up(
    options: Options, pay: int, digits: str, taken: int, thrown: int
) -> None:
    assert lower_pay(pay, hand(digits, options), options) == taken
    assert raise_pay(pay, hand(digits, options), options) == thrown
