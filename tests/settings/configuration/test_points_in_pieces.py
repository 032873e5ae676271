"""
What a point is worth at a house, and amounts that its pieces cannot make (G11).

Wherever an amount is set that changes hands later, one that no pieces make is refused there.
"""

from __future__ import annotations

import uuid
from contextlib import nullcontext
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from casino.floor.tables import open_form
from casino.house.attendants.models import Role
from casino.house.establishments.denominations import can_make
from casino.house.home_throws import house_rules
from casino.money.cash import bank, tips
from casino.words.presenters.registered import OPENINGS
from games import pieces
from games.pieces import NotInPieces
from tests.support import builders, cashing
from tests.support.playing import ask, ask_open, game_of, opened, opening

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.builders import House

pytestmark = pytest.mark.django_db

EURO = 100
PIECES = [{"value": euros * EURO, "name": ""} for euros in (1, 2, 5)]
CENT = 50  # no piece makes fifty cents


@pytest.fixture
def house() -> House:
    made = builders.house(
        denominations=PIECES, coin_digits=2, currency_code="EUR", currency_symbol="€",
        tips_allowed=True,
    )  # fmt: skip
    builders.dice_for_every_game(made.establishment, sets=1)
    return made


def put(at: House, thing: str, values: dict[str, Any], pk: object = None) -> Any:
    body = {
        "thing": thing, "values": values, "reason": "Because.", "command_id": str(uuid.uuid4()),
        **({"id": str(pk)} if pk else {}),
    }  # fmt: skip
    return at.client(Role.MANAGER).post(at.url("configuration/"), body, format="json")


SUMS = [
    # pieces, what they make, what they do not
    ((1, 5, 25), (1, 2, 24, 26), ()),
    ((100, 200, 500), (100, 300, 1100), (1, 50, 150, 1001)),
    ((20, 50), (20, 40, 50, 70, 90), (10, 30)),
    ((6, 10, 15), (6, 12, 31, 30), (1, 14, 29)),
    ((10_000, 25_000), (10_000, 25_000, 35_000), (5_000, 15_000, 26_000)),  # and that at once
]


@pytest.mark.parametrize(("pieces", "made", "not_made"), SUMS)
def test_pieces_make_their_sums(
    pieces: tuple[int, ...], made: tuple[int, ...], not_made: tuple[int, ...]
) -> None:
    listed = [{"value": value, "name": ""} for value in pieces]
    assert all(can_make(listed, amount) for amount in made)
    assert not any(can_make(listed, amount) for amount in not_made)


@given(st.lists(st.integers(1, 30), min_size=1, max_size=4, unique=True), st.integers(0, 120))
def test_a_sum_of_pieces_is_found_as_by_trying_all(values: list[int], amount: int) -> None:
    sums = {0}
    for total in range(amount + 1):
        if total in sums:
            sums |= {total + value for value in values}
    assert pieces.can_make(values, amount) == (amount in sums)


SET: list[tuple[str, Callable[[House], Any]]] = [
    ("a point", lambda at: put(at, "house_rules", {"game": "river", "options": {"unit": CENT}})),
    ("a seat fee", lambda at: put(at, "house_rules", {
        "game": "river", "fee": {"kind": "seat", "amount": CENT}})),
    ("a rake's cap", lambda at: put(at, "house_rules", {
        "game": "river", "fee": {"kind": "rake", "percent": 5, "cap": CENT}})),
    ("a fee under a point", lambda at: put(at, "house_rules", {
        "game": "river", "options": {"unit": 5 * EURO}, "fee": {"kind": "seat", "amount": EURO}})),
    ("a least stake", lambda at: put(at, "table", {"stake_min": CENT}, at.table.pk)),
    ("a greatest stake", lambda at: put(at, "table", {"stake_max": CENT}, at.table.pk)),
    ("a prize", lambda at: put(at, "prize_rule", {
        "ruleset": "stone-hand", "kind": "points", "at": 3, "prize": "Cash", "amount": CENT})),
]  # fmt: skip


@pytest.mark.parametrize(("what", "setting"), SET, ids=[what for what, _setting in SET])
def test_an_amount_that_no_pieces_make_is_refused_where_it_is_set(
    house: House, what: str, setting: Callable[[House], Any]
) -> None:
    answer = setting(house)

    assert answer.status_code == 422, what
    assert "G11" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("moved", "refused"),
    [
        (lambda at: bank.ask(
            cashing.act(at, at.attendant), way="capital", amount=CENT, reason="Friday."), True),
        (lambda at: bank.ask(
            cashing.act(at, at.attendant), way="capital", amount=EURO, reason="Friday."), False),
        (lambda at: tips.take(
            cashing.act(at, at.attendant), table=at.table, attendant=at.attendant.pk,
            amount=CENT), True),
    ],
)  # fmt: skip
def test_cash_moves_in_pieces(
    house: House, moved: Callable[[House], object], *, refused: bool
) -> None:
    with pytest.raises(NotInPieces) if refused else nullcontext():
        moved(house)


def test_a_point_is_worth_the_smallest_piece_unless_the_house_says_otherwise(house: House) -> None:
    unsaid = game_of(house, opened(house, stake=20 * EURO))
    assert unsaid.opening.data["options"]["unit"] == EURO
    game = house.client().get(f"/api/v1/games/{unsaid.key.game}/").json()
    assert game["unit"] == EURO

    assert put(house, "house_rules", {"game": "river", "options": {"unit": 200}}).status_code < 300
    rules = house_rules.in_force(establishment=house.establishment, game="river", at=timezone.now())
    assert rules is not None
    assert rules.options == {"unit": 200}
    river = ask_open(
        house, {"command_id": str(uuid.uuid4()), "game": "river", "players": ["Ada", "Bo"],
                "stake": 20 * EURO, "price": 2 * EURO},
        table=house.tables[1], now=timezone.now() + timedelta(minutes=1),
    )  # fmt: skip
    assert river.refusal is None
    assert game_of(house, river.key.game).opening.data["options"]["unit"] == 200


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"stake": 20 * EURO + CENT}, "not_in_pieces"),
        ({"stake": 20 * EURO, "options": {"unit": CENT}}, "not_in_pieces"),
        ({"stake": 21 * EURO, "options": {"unit": 200}}, "not_in_pieces"),
        ({"stake": 20 * EURO, "fee": {"kind": "seat", "amount": CENT}}, "not_in_pieces"),
        ({"stake": 20 * EURO, "fee": {"kind": "seat", "amount": EURO}}, None),
        ({"stake": 0, "options": {"mode": "drinks"}}, None),
    ],
)
def test_a_game_is_opened_for_what_pieces_make(
    house: House, fields: dict[str, Any], code: str | None
) -> None:
    refusal = ask_open(house, opening(**fields)).refusal
    assert (refusal and refusal.code) == code


def test_money_is_brought_in_pieces(house: House) -> None:
    game = opened(house, game="cinnabar-gate", stake=20 * EURO)

    brought = ask(house, game, "buy_in", player="Ada", amount=CENT).refusal
    joined = ask(house, game, "join", player="Cy", stake=20 * EURO + 1).refusal
    taken = ask(house, game, "cash_out", player="Ada", amount=CENT).refusal

    assert brought is not None
    assert joined is not None
    assert taken is not None
    assert {brought.code, joined.code} == {"not_in_pieces"}
    assert ask(house, game, "buy_in", player="Ada", amount=EURO).refusal is None


def test_other_pieces_are_refused_while_what_is_set_needs_these(house: House) -> None:
    """G11: a point of published rules would be worth something else, or nothing that is there."""
    assert put(house, "house_rules", {"game": "river"}).status_code < 300
    finer = [{"value": CENT, "name": ""}, *PIECES]
    coarser = [{"value": 500, "name": ""}]

    for listed in (finer, coarser):
        answer = put(house, "house", {"denominations": listed})
        assert answer.status_code == 422
        assert "River" in answer.json()["detail"]

    said = {"game": "river", "options": {"unit": EURO}}
    assert put(house, "house_rules", said).status_code < 300
    assert put(house, "house", {"denominations": finer}).status_code < 300


@pytest.mark.parametrize("game", list(OPENINGS))
def test_every_form_proposes_whole_points(house: House, game: str) -> None:
    """Also where a point is worth more than the smallest piece."""
    for unit in (None, 500):
        options = {} if unit is None else {"unit": unit}
        drafted = house_rules.draft_rules(
            establishment=house.establishment, game=game, effective_from=timezone.now(),
            by=house.manager, now=timezone.now() - timedelta(seconds=1), options=options,
        )  # fmt: skip
        drafted.save()
        form = open_form.blank(house.table, game)
        point = pieces_of(form)
        assert point == (unit or EURO)
        for name in ("stake", "price"):
            if form[name]:
                assert amount(form[name]) % point == 0


def pieces_of(form: dict[str, Any]) -> int:
    [row] = [each for each in form["options"] if each["option"].name == "unit"]
    return amount(row["amount"])


def amount(written: str) -> int:
    return round(float(written) * 100) if "." in written else int(written)


# fmt: off
PRICED = [
    # game, what is chosen, what the sheet says that it costs in money
    ("stone-hand", {}, "A point is worth €2.00. A pair 5 costs €10.00."),
    ("cinnabar-gate", {}, "The pay begins at €16.00."),
    ("river", {"option-min_raise-amount": "3"}, "= 6.00 €"),
    ("threes-away", {"option-ante-amount": "2"}, "= 4.00 €"),
    ("dice-breaker", {"option-ante": "amount", "option-ante-amount": "3"}, "= 6.00 €"),
    ("stone-hand", {"option-triad_pay": "amount", "option-triad_pay-amount": "4"}, "= 8.00 €"),
    ("cinnabar-gate", {"option-pay_cap": "amount", "option-pay_cap-amount": "9"}, "= 18.00 €"),
]
# fmt: on


@pytest.mark.parametrize(("game", "filled", "said"), PRICED)
def test_the_sheet_says_what_points_cost(
    house: House, game: str, filled: dict[str, str], said: str
) -> None:
    """G11: in the house's money, where the game plays for money; a refused form comes back so."""
    client, address = Client(), reverse("floor-open", args=[house.table.pk])
    client.force_login(house.attendant)
    sent = {"command_id": str(uuid.uuid4()), "game": game, "option-unit-amount": "2", **filled}

    assert said in client.post(address, sent).content.decode()
    numberless = sent | {
        "option-unit-amount": "1",
        **{name: "x" for name in filled if name.endswith("amount")},
    }
    assert said not in client.post(address, numberless).content.decode()


@pytest.mark.parametrize("game", list(OPENINGS))
def test_every_game_says_what_something_costs(game: str) -> None:
    form = OPENINGS[game]
    counted = [each for each in form.options if each.numbers and each.numbers.points]
    assert form.example or counted


def test_rules_name_their_unit_or_leave_it(house: House) -> None:
    """An explicit point of a coin is no default where pieces are larger."""
    with pytest.raises(ValidationError, match="no pieces"):
        house_rules.draft_rules(
            establishment=house.establishment, game="river", effective_from=timezone.now(),
            by=house.manager, now=timezone.now() - timedelta(seconds=1), options={"unit": 1},
        )  # fmt: skip


def test_the_pages_of_rules_show_what_a_point_is_worth_by_an_example(house: House) -> None:
    client = Client()
    client.force_login(house.manager)
    pages = (reverse("settings-rules"), reverse("settings-rules-of", args=["stone-hand"]))

    for mode, shown in (("pool", True), ("drinks", False)):
        house_rules.draft_rules(
            establishment=house.establishment, game="stone-hand", effective_from=timezone.now(),
            by=house.manager, now=timezone.now() - timedelta(seconds=1),
            options={"unit": 2 * EURO, "mode": mode},
        ).save()  # fmt: skip
        for page in pages:
            assert ("A pair 5 costs €10.00." in client.get(page).text) == shown
