"""The form that opens a game reaches every option of its rules and every value, and no others."""

from __future__ import annotations

import uuid
from dataclasses import fields
from http import HTTPStatus
from itertools import chain
from types import NoneType
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

import pytest
from django.http import QueryDict
from django.test import Client
from django.urls import reverse

from casino.floor.tables import open_form
from casino.house.acts.game_streams import catalogue
from casino.words.presenters import PRESENTERS, TITLES, opening_forms
from casino.words.presenters.opening_forms import AMOUNT
from casino.words.presenters.registered import OPENINGS, games
from games import vocabulary
from games.refusals import Refused
from tests.support import builders

if TYPE_CHECKING:
    from collections.abc import Iterator

    from casino.words.presenters.opening_forms import Option
    from games.game import Ruleset

FILLED = {"player": ["Ada", "Bo", "Cyd"], "stake": "500000", "price": "5"}
ID = str(uuid.UUID(int=7))


def posted(**sent: Any) -> QueryDict:
    form = QueryDict(mutable=True)
    for name, value in {"command_id": ID, **FILLED, **sent}.items():
        form.setlist(name, value if isinstance(value, list) else [value])
    return form


def options_of(ruleset: Ruleset) -> Any:
    """The class that holds the options of a game: its opening event has one."""
    return games()[ruleset.id].all_options()


def opened(ruleset: Ruleset, form: QueryDict) -> Any:
    """The opening event that a form leads to, decided by the rules themselves."""
    raw = {**open_form.command(form), "do": "open"}
    vocabulary.shape(raw)
    command = ruleset.parse("open", vocabulary.read(raw))
    return ruleset.decider.decide(command, ruleset.decider.initial)[0]


def sent(option: Option) -> Iterator[tuple[dict[str, str], Any]]:
    """Everything that the form can say of an option, and the value it stands for."""
    for choice in option.choices:
        yield {f"option-{option.name}": choice.written}, choice.value
    if (numbers := option.numbers) is not None:
        for number in {numbers.least, numbers.least + 1, min(numbers.most, 1000)}:
            chosen = {f"option-{option.name}": AMOUNT} if option.choices else {}
            yield {**chosen, f"option-{option.name}-amount": str(number)}, number


RULESETS = [
    pytest.param(ruleset, id=ruleset.id)
    for ruleset in catalogue.RULESETS
]  # fmt: skip
EVERY_VALUE = [
    pytest.param(ruleset, option.name, fields_sent, value, id=f"{ruleset.id}-{option.name}-{value}")
    for ruleset in catalogue.RULESETS
    for option in OPENINGS[ruleset.id].options
    for fields_sent, value in sent(option)
]


def test_every_game_has_a_title_and_a_form() -> None:
    assert set(OPENINGS) == set(TITLES)
    assert {ruleset.id for ruleset in catalogue.RULESETS} <= set(OPENINGS)
    assert PRESENTERS.keys() <= TITLES.keys()


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_form_asks_for_every_option_and_no_other(ruleset: Ruleset) -> None:
    form, options = OPENINGS[ruleset.id], options_of(ruleset)
    homes = {"homes"} if form.homes else set()

    assert {option.name for option in form.options} | homes == {
        each.name for each in fields(options)
    }
    defaults = options()
    for option in form.options:
        assert (option.name, option.default) == (option.name, getattr(defaults, option.name))
        assert type(option.default) is type(getattr(defaults, option.name))


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_value_of_an_option_is_in_the_form(ruleset: Ruleset) -> None:
    hints = get_type_hints(options_of(ruleset))
    for option in OPENINGS[ruleset.id].options:
        hint = hints[option.name]
        whole = hint is int or int in get_args(hint)
        literal = [(True, False) if hint is bool else get_args(each) or (each,)
                   for each in (get_args(hint) or ()) if each not in {int, NoneType}] or [
            (True, False) if hint is bool else ()]  # fmt: skip
        wanted = {(type(value), value) for value in chain(*literal)}
        assert {(type(each.value), each.value) for each in option.choices} >= wanted
        assert (option.numbers is not None) == whole


@pytest.mark.parametrize(("ruleset", "name", "chosen", "value"), EVERY_VALUE)
def test_what_is_chosen_is_what_the_game_is_opened_with(
    ruleset: Ruleset, name: str, chosen: dict[str, str], value: Any
) -> None:
    price = {"price": str(value)} if name == "unit" else {}  # of whole points (G11)
    event = opened(ruleset, posted(game=ruleset.id, **chosen, **price))

    assert getattr(event.options, name) == value
    assert type(getattr(event.options, name)) is type(value)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_numbers_end_where_the_rules_end_them(ruleset: Ruleset) -> None:
    for option in OPENINGS[ruleset.id].options:
        if (numbers := option.numbers) is None:
            continue
        chosen = {f"option-{option.name}": AMOUNT} if option.choices else {}
        taken = {choice.value for choice in option.choices}
        for beyond in {numbers.least - 1, numbers.most + 1} - taken:
            if beyond < 0:
                continue  # a form has no sign to send
            with pytest.raises(Refused):
                opened(
                    ruleset,
                    posted(
                        game=ruleset.id, **chosen, **{f"option-{option.name}-amount": str(beyond)}
                    ),
                )


@pytest.mark.parametrize("ruleset", RULESETS)
def test_seats_stakes_and_fees_are_carried(ruleset: Ruleset) -> None:
    form = OPENINGS[ruleset.id]
    paid = {option.name: next((each for each in option.choices if each.paid), None)
            for option in form.main if option.choices}  # fmt: skip
    chosen = {
        f"option-{name}": choice.written if choice else AMOUNT for name, choice in paid.items()
    } | {f"option-{name}-amount": "2" for name, choice in paid.items() if not choice}
    own = {"seat-stake": ["", "700000", ""]} if form.each else {}
    for kind in form.fees:
        fee = {"fee": kind, "fee-percent": "5", "fee-amount": "2", "fee-minutes": "30"}
        try:
            event = opened(ruleset, posted(game=ruleset.id, **chosen, **own, **fee))
        except Refused as refused:
            assert refused.code == "no_pot_to_rake"  # noqa: PT017 - the one way a fee may not fit
            continue
        assert event.fee.kind == kind
        assert [seat.stake for seat in event.players] == [
            500_000, 700_000 if form.each else 500_000, 500_000,
        ]  # fmt: skip


@pytest.mark.long("postgresql")
@pytest.mark.parametrize("game", OPENINGS)
@pytest.mark.django_db
def test_a_form_shows_what_was_sent(game: str) -> None:
    """Each game's fields come back as they were filled in."""
    house = builders.house()
    form = OPENINGS[game]
    for option in form.options:
        for fields_sent, value in sent(option):
            back = open_form.form_as_sent(house.table, posted(game=game, **fields_sent))
            found = next(
                each for each in [*back["main"], *back["options"]] if each["option"] is option
            )
            assert {**opening_forms.read_options(form, posted(game=game, **fields_sent))}.get(
                option.name, option.default
            ) == value
            assert fields_sent.get(f"option-{option.name}-amount", "") in {found["amount"], ""}


@pytest.mark.django_db
def test_choosing_another_game_keeps_the_people_and_opens_nothing() -> None:
    house = builders.house()
    client = Client()
    client.force_login(house.attendant)
    address = reverse("floor-open", args=[house.table.pk])

    page = client.post(address, {"choose": "stone-hand", "player": ["Ada", "Bo"], "stake": "30"})

    assert page.status_code == HTTPStatus.OK
    assert 'value="Ada"' in page.text
    assert 'value="30"' in page.text
    assert "Not opened" not in page.text


@pytest.mark.django_db
def test_another_game_begins_with_its_own_defaults() -> None:
    house = builders.house()
    before = posted(
        game="stone-hand", stake="25", price="9", home_throw="none", first="1",
        **{"option-mode": "drinks", "option-ante": "7", "option-ante-amount": "7"},
    )  # fmt: skip

    river = open_form.form_of_other_game(house.table, before, "river")
    breaker = open_form.form_of_other_game(house.table, before, "dice-breaker")

    assert (river["stake"], river["price"]) == ("50", "5")
    assert [each["value"] for each in breaker["main"]] == ["quick", "0"]
    assert [seat["name"] for seat in breaker["players"][:3]] == FILLED["player"]
    assert breaker["first"] == 1
    before["stake"] = "40"
    assert open_form.form_of_other_game(house.table, before, "river")["stake"] == "40"


@pytest.mark.django_db
def test_numbers_begin_within_the_table_s_limits() -> None:
    table = builders.table(builders.house().establishment, stake_min=10, stake_max=50)

    antes = [open_form.blank(table, game)["main"] for game in ("threes-away", "dice-breaker")]

    assert [each["amount"] for main in antes for each in main if each["option"].name == "ante"] == [
        "10", "10",
    ]  # fmt: skip
    assert open_form.blank(table, "stone-hand")["stake"] == "10"
    assert open_form.blank(table, "river")["price"] == "10"
    assert open_form.blank(table, "river")["stake"] == str(OPENINGS["river"].stake)
