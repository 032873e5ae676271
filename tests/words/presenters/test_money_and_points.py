"""
A game of each kind in a house whose coin has two decimals: amounts are money everywhere, and points
are points.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from html import unescape
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import call_command
from django.urls import reverse

from casino.house.attendants.models import Attendant
from casino.house.establishments.models import Establishment
from casino.play.core.models import GameCard
from casino.play.settlement.models import Payout
from casino.words.presenters.rounds import chapters
from tests.support import builders
from tests.support.playing import game_of, settled

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql")]
TRANSCRIPTS = Path(__file__).parents[2] / "transcripts"
TIMES = 12_345
"""By so much coins are multiplied: no count, and no other number on a page, is as long."""
COINS = frozenset({"stake", "price", "amount"})
RAW = re.compile(r"(?<![\w.,-])\d{5,}(?![\w.,-])")  # and not a part of a hash
DECIMALS = re.compile(r"\d[.,]\d\d(?!\d)")
UNSIGNED = re.compile(rf"{DECIMALS.pattern}(?! €)")  # an amount of a log without the house's sign

RECEIPTS_MOST = 1

# fmt: off
MONEY = [
    # game            transcript               lines  what its pages say, English and Italian
    ("stone-hand",    "everyone-wagers-25",        8,
     ["the loser pays the score, at 123.45 a point, 864.15, into the pool", "864.15 € A to pool"],
     ["paga il valore, a 123,45 il punto, 864,15, nel monte"]),
    ("cinnabar-gate", "coming-and-going",         15,
     ["A raises the pay to 1,111.05 €",
      "The pay began at 987.60, at 123.45 a point; A raised it to 1,111.05 (CG5), "],
     ["A alza la paga a 1.111,05 €",
      "La paga è partita da 987,60, a 123,45 il punto; A l'ha alzata a 1.111,05 (CG5), "]),
    ("river",         "a-roll-off-and-who-leaves", 28,
     ["A bids 370.35 € for the d4", "five dice for 617.25 € each", "Pay B out: 4,320.75 €"],
     ["cinque dadi per 617,25 €"]),
    ("threes-away",   "coming-and-going",         12,
     ["Round 2: all ante 370.35 €", "Round 2 is void: 1,111.05 € in antes go back."],
     ["1.111,05 €"]),
    ("dice-breaker",  "a-battle-with-every-die",  30,
     ["Pot 740.70 €"], ["740,70 €"]),
]
POINTS = [
    ("cinnabar-gate", "the-arcade-until-two-have-left", 12,
     ["A lowers the pay to 1", "A lowered it to 1 point (CG2).",
      "The pay began at 8 points; C lowered it to 7 points (CG2)."]),
    ("stone-hand",    "for-drinks-until-two-have-left",  8,
     ["4 drinks", "owes every other player a drink, 2 in all"]),
    ("stone-hand",    "scoreboard-with-re-throws",      12,
     ["2 points", "scored a point"]),
]
# fmt: on


def multiplied(value: Any, name: str = "") -> Any:
    match value:
        case dict():
            return {key: multiplied(each, key) for key, each in value.items()}
        case list():
            return [multiplied(each, name) for each in value]
        case int() if name in COINS:
            return value * TIMES
        case _:
            return value


def played(house: House, game: str, name: str, lines: int, at: Path) -> UUID:
    """
    The game that a transcript's first lines are, with more coins, on record and settled.

    A point is worth as many (G11), so that what the rules count is multiplied, too.
    """
    path = at / "played.jsonl"
    told = (TRANSCRIPTS / game / f"{name}.jsonl").read_text().splitlines()[:lines]
    rows = [multiplied(json.loads(line)) for line in told]
    for row in rows:
        if row.get("do") == "open":
            row["options"] = {**row.get("options", {}), "unit": TIMES}
    path.write_text("\n".join(map(json.dumps, rows)))
    where = ["--house", house.establishment.name, "--table", house.table.name]
    with suppress(SystemExit):  # with the number of lines that were refused, as some are meant to
        call_command("replay", "--record", "--by", house.supervisor.username, *where, str(path))
    settled(house)
    return GameCard.objects.get(establishment=house.establishment).game


def pages(house: House, game: UUID, language: str) -> Iterator[tuple[str, str]]:
    """Each page that shows something of the game, as its reader reads it."""
    reader = builders.signed_in(Attendant.objects.get(pk=house.manager.pk))
    paid = Payout.objects.filter(establishment=house.establishment, game=game)
    of_payouts = [
        reverse(page, args=[row.game, row.cause, row.seq])
        for row in paid.order_by("-cause")[:RECEIPTS_MOST]
        for page in ("payout", "receipt")
    ]
    ended = chapters(game_of(house, game).facts).ended
    addresses = [
        reverse("floor-game", args=[game]),
        reverse("floor-log", args=[game]),
        reverse("wall", args=[house.table.wall_address]),
        *(reverse("floor-round", args=[game, number]) for number in range(1, ended + 1)),
        *of_payouts,
    ]
    for address in addresses:
        answer = reader.get(address, headers={"Accept-Language": language})
        assert answer.status_code == HTTPStatus.OK, address
        main = answer.text.partition("<main")[2].partition(">")[2]
        yield address, re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", main)))


def in_both(house: House, game: UUID) -> Iterator[tuple[str, str]]:
    """The pages in English, by its house's locale, and in Italian, by its own."""
    for language, locale in (("en", "en-GB"), ("it", "it-IT")):
        Establishment.objects.filter(pk=house.id).update(language=language, locale=locale)
        yield from pages(house, game, language)


@pytest.fixture
def house() -> House:
    # A name without a number, which would be taken for an amount without its sign.
    made = builders.house(
        name="Opal", dice_sets=0, coin_digits=2, currency_symbol="€", wall_stakes=True
    )
    builders.dice_for_every_game(made.establishment, sets=1)
    made.table.wall = True
    made.table.save()
    return made


@pytest.mark.rows(3)
@pytest.mark.parametrize(("game", "name", "lines", "english", "italian"), MONEY)
def test_an_amount_is_money_wherever_it_is_shown(  # noqa: PLR0913, PLR0917 - a row of the table
    game: str, name: str, lines: int, english: list[str], italian: list[str],
    house: House, tmp_path: Path,
) -> None:  # fmt: skip
    read = list(in_both(house, played(house, game, name, lines, tmp_path)))

    for address, text in read:
        if "/receipts/" not in address:  # a receipt's proof is written in hexadecimal
            assert RAW.findall(text) == [], address
        if address.endswith("/log/"):
            assert UNSIGNED.findall(text) == [], address
    everything = " ".join(text for _address, text in read)
    assert [words for words in (*english, *italian) if words not in everything] == []


@pytest.mark.rows(2)
@pytest.mark.parametrize(("game", "name", "lines", "words"), POINTS)
def test_points_and_drinks_are_no_money(  # noqa: PLR0913, PLR0917 - a row of the table
    game: str, name: str, lines: int, words: list[str], house: House, tmp_path: Path
) -> None:
    read = list(in_both(house, played(house, game, name, lines, tmp_path)))

    for address, text in read:
        assert DECIMALS.findall(text) == [], address
        assert "€" not in text, address
    everything = " ".join(text for _address, text in read)
    assert [each for each in words if each not in everything] == []
