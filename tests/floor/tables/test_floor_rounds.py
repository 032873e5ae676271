"""A round as a person reads it: each kind of it, each step, and what no page gives away."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse

from casino.house.acts.game_streams.catalogue import RULESETS
from casino.words.presenters import quoted
from casino.words.presenters.rounds import chapters
from tests.support import builders
from tests.support.playing import (
    EMPTY,
    HOME,
    LATER,
    PAIR_1,
    PAIR_4,
    PAIR_7,
    RUN_4,
    TRIAD,
    TRIPLE_8,
    done,
    game_of,
    opened,
    settled,
    thrown,
)

if TYPE_CHECKING:
    import uuid

    from pytest_django import DjangoAssertNumQueries

    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql")]
QUERIES = 10  # of a round with its receipts, however long it is, with the table as it stood or not

Throws = list[tuple[str, tuple[int, ...]]]


@pytest.fixture
def house() -> House:
    return builders.house()


def read(house: House, game: uuid.UUID, number: int = 1, query: str = "") -> str:
    """The page's words, as somebody reads them."""
    address = reverse("floor-round", args=[game, number]) + query
    answer = builders.signed_in(house.auditor).get(address)
    assert answer.status_code == 200, answer.content
    main = answer.content.decode().partition("<main")[2]
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", main)))


def played(house: House, throws: Throws, **options: Any) -> uuid.UUID:
    game = opened(
        house, players=["Ada", "Bo", "Cyd"], stake=options.pop("stake", 40), home_throw=[1, 3, 6],
        **({"fee": options.pop("fee")} if "fee" in options else {}), options=options,
    )  # fmt: skip
    for player, dice in throws:
        thrown(house, game, player, dice)
    settled(house)
    return game


# fmt: off
ROUNDS: dict[str, tuple[Throws, dict[str, Any], list[str]]] = {
    "lost": (
        [("Ada", PAIR_7), ("Bo", PAIR_4), ("Cyd", RUN_4)], {},
        ["Ada threw 2-2-7, a pair with score 7, the worst of the round (SH4).",
         "Ada loses round 1", "7 r Ada to pool",
         "SH4 When all have thrown the worst hand loses."]),
    "empty": (
        [("Ada", EMPTY), ("Ada", PAIR_7), ("Bo", PAIR_4), ("Cyd", RUN_4)], {},
        ["Ada empty", "SH2 In seat order each player throws until the hand is not empty."]),
    "triple": (
        [("Ada", TRIPLE_8), ("Bo", (1, 1, 1)), ("Cyd", (2, 2, 2))], {},
        ["Ada triple 8", "24 r Ada to pool", "SH4: the loser pays three times the score"]),
    "tie": (
        [("Ada", PAIR_7), ("Bo", PAIR_7), ("Cyd", RUN_4), ("Ada", PAIR_4), ("Bo", PAIR_1)], {},
        ["Tie for worst: Ada and Bo throw again", "7 r Ada to pool",
         "SH5 Identical worst hands: the tied throw again, in turn order, to name the loser."]),
    "triad": (
        [("Ada", TRIAD)], {},
        ["Ada threw 1-4-7, a triad, and loses on the spot (SH6).", "4 r Ada to pool",
         "SH6 A triad loses on the spot and the other throws of the round are void."]),
    "restart": (
        [("Ada", HOME), ("Bo", PAIR_7), ("Cyd", PAIR_4)], {},
        ["Ada home throw", "The round starts again, Ada sits it out", "Bo loses round 1",
         "SH7 A home throw makes every throw of the round void"]),
    "void": (
        [("Ada", HOME), ("Bo", HOME), ("Cyd", HOME)], {},
        ["Round 1 void", "Round 1 is void", "No money moved in this round."]),
    "fee": (
        [("Ada", PAIR_7), ("Bo", PAIR_4), ("Cyd", RUN_4)],
        {"fee": {"kind": "seat", "amount": 2}},
        ["2 r Ada to the house", "Ada the house 2 r"]),
    "less than owed": (
        [("Ada", PAIR_7), ("Bo", PAIR_4), ("Cyd", RUN_4)], {"stake": 5},
        ["5 r Ada to pool", "but only 5 was left (G2)",
         "G2 Nobody pays more than they have left; nothing is owed beyond."]),
    "rethrow": (
        [("Ada", PAIR_7), ("Ada", PAIR_4), ("Bo", PAIR_1), ("Cyd", RUN_4)], {"rethrow": 1},
        ["Ada pair 7", "Ada pair 4", "Bo pair 1"]),
    "drinks": (
        [("Ada", PAIR_7), ("Bo", PAIR_4), ("Cyd", RUN_4)], {"mode": "drinks", "stake": 0},
        ["SH12: Ada owes every other player a drink, 2 in all.",
         "No money moved in this round."]),
    "scoreboard": (
        [("Ada", PAIR_7), ("Bo", PAIR_4), ("Cyd", TRIPLE_8)], {"mode": "scoreboard", "stake": 0},
        ["SH13: Cyd scored a point."]),
    "running": (
        [("Ada", PAIR_7)], {},
        ["not over yet", "Ada pair 7"]),
}
# fmt: on


@pytest.mark.parametrize("kind", ROUNDS)
def test_every_kind_of_round_is_told(house: House, kind: str) -> None:
    throws, options, sentences = ROUNDS[kind]
    game = played(house, throws, **options)

    words = read(house, game)

    for sentence in sentences:
        assert sentence in words
    for player, dice in throws:
        assert player in words
        assert dice


def test_the_pot_stands_beside_each_step(house: House) -> None:
    game = played(house, [("Ada", PAIR_7), ("Bo", PAIR_4), ("Cyd", RUN_4), ("Ada", PAIR_4)])

    first, second = read(house, game, 1), read(house, game, 2)

    assert "Pool 0 r" in first
    assert "Pool 7 r" in first
    assert "Pool 7 r" in second


def test_what_was_voided_stays_on_the_page(house: House) -> None:
    game = played(house, [("Ada", PAIR_7)])
    done(house, game, "void", back_to=2, reason="Misread.")
    thrown(house, game, "Ada", PAIR_4)
    done(house, game, "no_throw", player="Bo", reason="cocked", dice=[1, 2])

    words = read(house, game)

    assert "Ada pair 7 void" in words
    assert "Void from 2 on: Misread." in words
    assert "Ada pair 4" in words
    assert "No throw by Bo: cocked die" in words


def test_a_round_played_again_holds_both_ways_it_went(house: House) -> None:
    game = played(house, [("Ada", PAIR_7), ("Bo", PAIR_4), ("Cyd", RUN_4)])
    done(house, game, "void", back_to=4, reason="Misread.", now=LATER)
    done(house, game, "approve", by=house.supervisor, request=6)
    thrown(house, game, "Cyd", (1, 1, 8))
    settled(house)

    words = read(house, game)

    assert "Ada loses round 1 void" in words
    assert "Cyd loses round 1" in words
    assert chapters(game_of(house, game).facts).of == [1] * 9


def test_any_step_has_the_table_as_it_stood(house: House) -> None:
    game = played(house, [("Ada", PAIR_7), ("Bo", PAIR_4), ("Cyd", RUN_4), ("Ada", PAIR_1)])

    after_bo = read(house, game, 1, "?step=3")
    table = after_bo.partition("The table after step 3")[2].partition("Step by step")[0]

    assert "Bo pair 4" in table
    assert "Ada pair 7 40 r" in table
    assert "Cyd to throw 40 r" in table
    assert "Then: Cyd to throw" in table
    end = read(house, game, 1, "?step=5").partition("Step by step")[0]
    assert "Ada to throw 33 r" in end
    assert "Pool 7 r" in end


def test_steps_lead_on_and_back(house: House) -> None:
    game = played(house, [("Ada", PAIR_7), ("Bo", PAIR_4), ("Cyd", RUN_4)])
    address = reverse("floor-round", args=[game, 1])
    client = builders.signed_in(house.attendant)

    middle, first = client.get(f"{address}?step=3"), client.get(f"{address}?step=1")

    assert f'rel="prev" href="{address}?step=2#table"' in middle.content.decode()
    assert f'rel="next" href="{address}?step=4#table"' in middle.content.decode()
    assert 'rel="prev"' not in first.content.decode()


@pytest.mark.parametrize(
    ("number", "query"),
    [(1, "?step=99"), (1, "?step=0"), (1, "?step=x"), (1, "?step=-1"), (2, "?step=2"), (3, ""),
     (0, ""), (1, "?step=99999999999999999999999999")],
)  # fmt: skip
def test_what_is_not_there_is_nowhere(house: House, number: int, query: str) -> None:
    game = played(house, [("Ada", PAIR_7), ("Bo", PAIR_4), ("Cyd", RUN_4), ("Ada", PAIR_1)])
    address = reverse("floor-round", args=[game, number])

    assert builders.signed_in(house.auditor).get(address + query).status_code == 404


def test_another_house_sees_nothing(house: House) -> None:
    game = played(house, [("Ada", PAIR_7)])
    stranger = builders.house().manager

    answer = builders.signed_in(stranger).get(reverse("floor-round", args=[game, 1]))

    assert answer.status_code == 404


@pytest.mark.parametrize("rounds", [1, 6])
def test_a_long_game_asks_no_more_of_the_database(
    house: House, rounds: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    game = played(house, [("Ada", PAIR_1), ("Bo", PAIR_4), ("Cyd", (1, 1, 3))], stake=99)
    for _ in range(rounds - 1):
        for player in ("Bo", "Cyd", "Ada"):
            thrown(house, game, player, PAIR_4 if player == "Bo" else PAIR_1)
    address = reverse("floor-round", args=[game, rounds])
    client, last = builders.signed_in(house.auditor), game_of(house, game).version
    client.get(address)

    with django_assert_num_queries(QUERIES):
        client.get(address)
    with django_assert_num_queries(QUERIES):
        client.get(f"{address}?step={last}")


@pytest.mark.parametrize("ruleset", [each.id for each in RULESETS])
def test_the_rules_of_every_game_are_quoted_from_its_page(ruleset: str) -> None:
    rules = quoted.rules(ruleset)

    assert {"G2", "G4", "G5", "G6", "G9"} <= rules.keys()
    assert len([number for number in rules if not number.startswith(("G", "H"))]) >= 8
    for number, text in rules.items():
        assert not re.search(r"[`*\[\]]|  |^\W", text), (number, text)
        assert quoted.in_short(ruleset, number).endswith("."), number
