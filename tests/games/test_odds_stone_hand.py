"""Stone hand's odds beside twins that know nothing of their code: all throws, all deals."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any

import icepool
import pytest

from games.odds import NoSuchOdds, chances_of_view, mean, only
from games.stone_hand.messages import Options
from games.stone_hand.odds import PLAYERS, Ending, Rounds, Throws

if TYPE_CHECKING:
    from collections.abc import Iterator

HOME = (1, 3, 6)
Seen = tuple[str, int, int, Any]  # kind, score, paired value, what it costs

# fmt: off
PUBLISHED = [
    ("wrap",     {"pair": 168, "run": 48, "triple": 8, "triad": 12, "home": 6, "empty": 270}),
    ("straight", {"pair": 168, "run": 36, "triple": 8, "triad": 12, "home": 6, "empty": 282}),
]
# fmt: on


def throws(*homes: tuple[int, int, int], stake: int | None = None, **options: Any) -> Throws:
    return Throws(Options(**options), homes, stake=stake)


@pytest.mark.parametrize(("runs", "counts"), PUBLISHED)
def test_512_throws_come_out_as_published(runs: str, counts: dict[str, int]) -> None:
    """SH2, SH3, SH6, SH7: rules.md's table, "Exact odds that must come out"."""
    single = chances_of_view(throws(HOME, runs=runs).single, lambda landed: landed.hand.name)

    assert single == {name: Fraction(count, 512) for name, count in counts.items()}


@pytest.mark.parametrize("runs", ["wrap", "straight"])
def test_icepool_counts_the_same(runs: str) -> None:
    pool = icepool.d(8).pool(3).expand()  # every sorted throw with its number of ways
    die = pool.map(lambda dice: seen(dice, wrap=runs == "wrap")[0])

    ours = chances_of_view(throws(HOME, runs=runs).single, lambda landed: landed.hand.name)

    assert {name: Fraction(die.probability(name)) for name in die.outcomes()} == ours


# --- The twin: hands from the text of the rules, deals one by one -------------------------------


def seen(dice: Any, *, wrap: bool = True, homes: tuple[Any, ...] = (HOME,)) -> Seen:
    faces = sorted(dice)
    if tuple(faces) in homes:
        return "home", 0, 0, 0
    counted = Counter(faces).most_common()
    if len(counted) == 1:
        return "triple", faces[0], 0, 3 * faces[0]
    if len(counted) == 2:
        return "pair", counted[1][0], counted[0][0], counted[1][0]
    for middle in range(1, 9):
        around = {(middle - 2) % 8 + 1, middle, middle % 8 + 1}
        if set(faces) == around and (wrap or faces[2] - faces[0] == 2):
            return "run", middle, 0, middle
    if faces in ([1, 4, 7], [2, 5, 8]):
        return "triad", 0, 0, faces[1]
    return "empty", 0, 0, 0


@cache
def valid(homes: tuple[Any, ...] = (HOME,)) -> dict[Seen, Fraction]:
    """What stands when empties are thrown again."""
    found = Counter(seen(dice, homes=homes) for dice in product(range(1, 9), repeat=3))
    found = Counter({each: many for each, many in found.items() if each[0] != "empty"})
    return {each: Fraction(many, found.total()) for each, many in found.items()}


def badness(hand: Seen) -> tuple[int, int, int]:
    return ("triple", "run", "pair").index(hand[0]), hand[1], hand[2]


TRIAD, ESCAPED = (9,), (-1,)  # as ranks: worse and better than any hand
Outcome = tuple[int, Any]  # who loses, by place; -1: void. What it costs


@cache
def tie(size: int, homes: tuple[Any, ...], *, rethrown: bool) -> dict[Outcome, Fraction]:
    """SH5. What costs None costs what the original hand does."""
    sums: dict[Outcome, Fraction] = defaultdict(Fraction)
    nothing = Fraction(0)
    for deal in product(valid(homes).items(), repeat=size):
        chance = Fraction(1)
        for _, each in deal:
            chance *= each
        hands = [hand for hand, _ in deal]
        first = next((place for place, hand in enumerate(hands) if hand[0] == "triad"), None)
        if first is not None:
            sums[first, hands[first][3]] += chance
            continue
        held = [place for place, hand in enumerate(hands) if hand[0] != "home"]
        worst = max((badness(hands[place]) for place in held), default=None)
        lost = [place for place in held if badness(hands[place]) == worst]
        if len(lost) == 1:
            sums[lost[0], hands[lost[0]][3] if rethrown else None] += chance
        elif len(lost) in {0, size}:
            nothing += chance
        else:
            for (place, cost), each in tie(len(lost), homes, rethrown=rethrown).items():
                sums[lost[place], cost] += chance * each
    return {outcome: each / (1 - nothing) for outcome, each in sums.items()}


@cache
def deals(
    players: int, homes: tuple[Any, ...] = (HOME,), *, sole: bool = True, rethrown: bool = False
) -> dict[Outcome, Fraction]:
    """A round, deal by deal."""
    if players == 0 or (players == 1 and not sole):
        return {(-1, 0): Fraction(1)}
    sums: dict[Outcome, Fraction] = defaultdict(Fraction)
    for deal in product(valid(homes).items(), repeat=players):
        chance = Fraction(1)
        for _, each in deal:
            chance *= each
        hands = [hand for hand, _ in deal]
        stop = next((p for p, hand in enumerate(hands) if hand[0] in {"triad", "home"}), None)
        if stop is not None and hands[stop][0] == "triad":
            sums[stop, hands[stop][3]] += chance
        elif stop is not None:
            left = [place for place in range(players) if place != stop]
            on = deals(players - 1, homes, sole=sole and players > 1, rethrown=rethrown)
            for (place, cost), each in on.items():
                sums[left[place] if place >= 0 else -1, cost] += chance * each
        else:
            worst = max(map(badness, hands))
            lost = [place for place, hand in enumerate(hands) if badness(hand) == worst]
            on = tie(len(lost), homes, rethrown=rethrown) if lost[1:] else {(0, None): Fraction(1)}
            for (place, cost), each in on.items():
                owed = hands[lost[place]][3] if cost is None else cost
                sums[lost[place], owed] += chance * each
    return dict(sums)


# fmt: off
ROUNDS = [
    # players, options,                   how the twin is told
    (2, {},                               {}),
    (2, {"sole": "void"},                 {"sole": False}),           # SH7
    (2, {"tie_owes": "rethrow"},          {"rethrown": True}),        # SH5
    (1, {},                               {}),                        # SH7: the sole one pays
]
# fmt: on


@pytest.mark.parametrize(("players", "options", "told"), ROUNDS)
def test_a_round_is_that_of_all_deals(
    players: int, options: dict[str, Any], told: dict[str, Any]
) -> None:
    ours = Rounds(throws(HOME, **options)).among(players)

    theirs = deals(players, **told)

    for place in range(players):
        lost = sum((each for (who, _), each in theirs.items() if who == place), Fraction(0))
        assert ours.places[place] == lost
    assert chances_of_view(ours.endings, lambda end: end.landed.owes if end.landed else 0) == {
        cost: sum((each for (_, other), each in theirs.items() if other == cost), Fraction(0))
        for cost in {cost for _, cost in theirs}
    }


@pytest.mark.parametrize("homes", [(), ((1, 3, 6), (2, 4, 7))])
def test_a_game_has_no_home_throw_or_several(homes: tuple[Any, ...]) -> None:
    """SH7, `homes`: each of several restarts the round."""
    ours = Rounds(throws(*homes, homes="players")).among(2)

    theirs = deals(2, homes)

    assert ours.places[0] == sum((each for (who, _), each in theirs.items() if who == 0), start=0)
    assert (ours.restarted == 0) == (not homes)


@pytest.mark.long
def test_three_players_tie_in_every_way() -> None:
    """SH5: two of three, and all three, thrown off; the chain is left by dividing."""
    homes = ((1, 3, 6), (1, 3, 5), (2, 4, 7))
    ours = Rounds(throws(*homes)).among(3)

    theirs = three_players(homes)

    assert ours.places == tuple(theirs[place] for place in range(3))


@cache
def ranked(homes: tuple[Any, ...]) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Valid throws by rank, a triad as the worst and a home throw as the best, and how many."""
    ends = {"triad": TRIAD, "home": ESCAPED}
    found: Counter[tuple[int, ...]] = Counter()
    for dice in product(range(1, 9), repeat=3):
        hand = seen(dice, homes=homes)
        if hand[0] != "empty":
            found[ends.get(hand[0]) or badness(hand)] += 1
    return tuple(found.items())


def by_rank(homes: tuple[Any, ...]) -> Iterator[tuple[list[tuple[int, ...]], int]]:
    """Every deal of three, and in how many ways it comes."""
    for (a, x), (b, y), (c, z) in product(ranked(homes), repeat=3):
        yield [a, b, c], x * y * z


def three_players(homes: tuple[Any, ...]) -> dict[int, Fraction]:
    """Who loses, place by place."""
    lost: Counter[tuple[int, ...]] = Counter()  # who share the worst hand
    sums: dict[int, Fraction] = defaultdict(Fraction)
    total = sum(many for _, many in ranked(homes)) ** 3
    for hands, ways in by_rank(homes):
        stop = next((p for p, hand in enumerate(hands) if hand in {TRIAD, ESCAPED}), None)
        if stop is None:
            lost[tuple(place for place in range(3) if hands[place] == max(hands))] += ways
        elif hands[stop] == TRIAD:
            lost[(stop,)] += ways
        else:
            left = [place for place in range(3) if place != stop]
            for place in (0, 1):
                sums[left[place]] += ways * two_lose(homes)[place] / total
    for places, ways in lost.items():
        for place, each in enumerate(tie_places(len(places), homes)):
            sums[places[place]] += ways * each / total
    return sums


@cache
def two_lose(homes: tuple[Any, ...]) -> tuple[Fraction, ...]:
    return tuple(
        sum((each for (who, _), each in deals(2, homes).items() if who == place), Fraction(0))
        for place in (0, 1)
    )


@cache
def tie_places(size: int, homes: tuple[Any, ...]) -> tuple[Fraction, ...]:
    """SH5: by turn among the tied, who loses."""
    if size == 1:
        return (Fraction(1),)
    if size == 2:
        ends = tie(2, homes, rethrown=False).items()
        return tuple(
            sum((each for (who, _), each in ends if who == p), Fraction(0)) for p in (0, 1)
        )
    lost: Counter[tuple[int, ...]] = Counter()
    for hands, ways in by_rank(homes):
        if TRIAD in hands:
            lost[(hands.index(TRIAD),)] += ways
        elif (worst := max(hands)) != ESCAPED:
            lost[tuple(place for place in range(3) if hands[place] == worst)] += ways
    lost.pop((0, 1, 2))
    sums = [Fraction(0)] * 3
    for places, ways in lost.items():
        for place, each in enumerate(tie_places(len(places), homes)):
            sums[places[place]] += ways * each
    return tuple(each / lost.total() for each in sums)


# --- What options change ------------------------------------------------------------------------


@pytest.mark.rows(4)
@pytest.mark.parametrize("rethrow", [0, 1, 2])
@pytest.mark.parametrize("players", [2, 5, PLAYERS[-1]])
def test_chances_add_up(rethrow: int, players: int) -> None:
    found = Rounds(throws(HOME, rethrow=rethrow)).among(players)

    assert sum(found.endings.values()) == 1
    assert sum(found.places) == 1 - found.endings.get(Ending("void"), Fraction(0))
    assert sum(found.scoring.values()) == 1


def test_who_throws_again_does_so_where_better_is_likelier() -> None:
    """SH11, the policy: counted hand by hand by a twin."""
    for landed in throws(HOME, rethrow=1).ranked:
        mine = (landed.hand.name, landed.hand.score or 0, landed.hand.paired)
        better = worse = Fraction(0)
        for hand, each in valid().items():
            kind = {"home": -1, "triad": 1}.get(hand[0])
            rank = kind or (badness(hand) > badness((*mine, 0))) - (
                badness(hand) < badness((*mine, 0))
            )
            better, worse = better + each * (rank < 0), worse + each * (rank > 0)
        assert (landed in throws(HOME, rethrow=1).thrown_again) == (better > worse)


def test_a_rethrow_is_played_as_a_twin_plays_it() -> None:
    """SH11: the second may throw again as often as the first did; triads end it at once."""
    rules = throws(HOME, rethrow=1)
    again = {(each.hand.name, each.hand.score, each.hand.paired) for each in rules.thrown_again}
    loses, tied = [Fraction(0), Fraction(0)], tie_places(2, (HOME,))

    def turn(allowed: int) -> dict[tuple[Seen, int], Fraction]:
        found: dict[tuple[Seen, int], Fraction] = defaultdict(Fraction)
        for hand, each in valid().items():
            if not allowed or hand[:3] not in again:
                found[hand, 0] += each
                continue
            for other, likely in valid().items():
                found[other, 1] += each * likely
        return found

    # SH7: who is left alone throws anew, and again once; home by home the round is void.
    alone = 1 - sum((each for (hand, _), each in turn(1).items() if hand[0] == "home"), start=0)
    for (mine, used), chance in turn(1).items():
        if mine[0] in {"triad", "home"}:
            loses[mine[0] == "home"] += chance * (1 if mine[0] == "triad" else alone)
            continue
        for (theirs, _), likely in turn(used).items():
            if theirs[0] in {"triad", "home"}:
                by = 1 if theirs[0] == "triad" else alone
                loses[theirs[0] == "triad"] += chance * likely * by
            elif badness(mine) == badness(theirs):
                loses = [
                    lost + chance * likely * each for lost, each in zip(loses, tied, strict=True)
                ]
            else:
                loses[badness(theirs) > badness(mine)] += chance * likely
    assert Rounds(rules).among(2).places == tuple(loses)


def test_a_policy_of_never_is_no_rethrow() -> None:
    never = Rounds(Throws(Options(rethrow=2), (HOME,), policy="never")).among(4)
    none = Rounds(throws(HOME)).among(4)

    assert (never.places, never.endings) == (none.places, none.endings)


# fmt: off
TRIADS = [
    # options,               stake, what triads cost
    ({},                     None,  {4, 5}),
    ({"triad_pay": 7},       None,  {7}),
    ({"triad_pay": "all"},   None,  {"all"}),
    ({"triad_pay": "all"},   20,    {20}),
    ({"triad_pay": 7},       3,     {3}),      # G2
    ({"triads": False},      None,  set()),
]
# fmt: on


@pytest.mark.parametrize(("options", "stake", "costs"), TRIADS)
def test_a_triad_costs_what_the_option_says(
    options: dict[str, Any], stake: int | None, costs: set[Any]
) -> None:
    """SH6."""
    found = Rounds(throws(HOME, stake=stake, **options)).among(3)

    triads = {
        end.landed.owes for end in found.endings if end.landed and end.how in {"triad", "tie_triad"}
    }
    assert triads == costs


def test_a_triad_in_a_tie_owes_as_a_triad() -> None:
    """SH5, SH6."""
    found = Rounds(throws(HOME, triad_pay=9)).among(2)

    assert {end.landed.owes for end in found.endings if end.how == "tie_triad" and end.landed} == {
        9
    }


def test_points_of_a_scoreboard_go_to_the_best_or_to_the_lowest_score() -> None:
    """SH13: by deals of two: equal ones each get one, nobody after a triad or a void round."""
    for point_to in ("best", "lowest_score"):
        alike = alone = Fraction(0)
        for (a, x), (b, y) in product(valid(()).items(), repeat=2):
            if "triad" in {a[0], b[0]}:
                continue
            same = badness(a) == badness(b) if point_to == "best" else a[1] == b[1]
            alike, alone = alike + x * y * same, alone + x * y * (not same)

        found = Rounds(throws(mode="scoreboard", point_to=point_to)).among(2)

        assert found.scoring == {0: 1 - alike - alone, 1: alone, 2: alike}


def test_what_never_happens_has_no_chances() -> None:
    with pytest.raises(NoSuchOdds):
        only({1: Fraction(1)}, lambda face: face > 1)
    assert mean({2: Fraction(1, 2), 4: Fraction(1, 2)}) == 3
