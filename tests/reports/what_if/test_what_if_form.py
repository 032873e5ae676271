"""Asking what if: each field starts from what holds, and only what is another counts."""

from __future__ import annotations

from datetime import timedelta
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse

from casino.house.attendants.models import Role
from casino.house.establishments.models import HouseRules
from casino.house.home_throws import house_rules
from casino.house.home_throws.operations import set_home_throw
from casino.kit.web.jobs.models import State
from casino.reports.what_if import changes
from casino.reports.what_if.changes import Change
from casino.reports.what_if.models import WhatIf, WhatIfGame
from casino.words.presenters import opening_forms
from casino.words.presenters.registered import OPENINGS, forms_of_games
from games.payments import COINS_MAX
from tests.reports.what_if.test_what_if_runs import begun, finished, signed_in, two_rounds
from tests.support import module_data
from tests.support.playing import NOW, opened, token

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django import DjangoAssertNumQueries

    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.once]
PAGE_QUERIES, FORM_QUERIES, ONE_QUERIES = 13, 13, 14
RAKE, SEAT = {"kind": "rake", "percent": 5}, {"kind": "seat", "amount": 1}


played = module_data.shared(two_rounds)
house = module_data.house_of_its_own


@pytest.fixture
def client(house: House) -> Client:
    return signed_in(house, Role.MANAGER)


def publish(house: House, game: str = "stone-hand", **rules: Any) -> HouseRules:
    return house_rules.publish(
        establishment=house.establishment, game=game, effective_from=NOW, by=house.manager,
        now=NOW, **rules,
    )  # fmt: skip


def home(house: House, *faces: int) -> None:
    low, middle, high = faces
    set_home_throw(
        establishment=house.establishment, faces=(low, middle, high),
        effective_from=NOW - timedelta(days=1), by=house.manager,
    )  # fmt: skip


def filled(client: Client, game: str = "", **other: str) -> dict[str, str]:
    """The form as a browser without scripts sends it, some fields filled in otherwise."""
    page = client.get(reverse("what-if"), {"game": game})
    form = page.context["form"]
    sent = {
        name: str(value)
        for name in form.fields
        if (value := form[name].value()) not in {None, False}
    }
    return sent | {name.replace("__", "-"): value for name, value in other.items()}


def change_of(client: Client, game: str = "", **other: str) -> Change:
    """The recorded change of the form sent with these values."""
    answer = client.post(reverse("what-if"), filled(client, game, **other))
    assert answer.status_code == HTTPStatus.FOUND, answer.context["form"].errors
    run = WhatIf.objects.latest("asked_at")
    WhatIf.objects.filter(id=run.id).update(state=State.STOPPED)
    return Change.from_json(run.change)


def errors(client: Client, game: str = "", **other: str) -> dict[str, list[str]]:
    answer = client.post(reverse("what-if"), filled(client, game, **other))
    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert not WhatIf.objects.exists()
    found: dict[str, list[str]] = answer.context["form"].errors
    text = answer.content.decode()
    for name in found:  # at the top of the page, with a link to the field that it is about
        assert name == "__all__" or f'href="#id_{name}"' in text
        assert name == "__all__" or f'id="id_{name}_error"' in text
    return found


# --- What it starts from ---------------------------------------------------------------------


@pytest.mark.parametrize("game", [each.game for each in forms_of_games()])
def test_every_option_of_every_game_is_a_field_that_starts_from_what_holds(
    house: House, client: Client, game: str
) -> None:
    options = OPENINGS[game].options
    other = {each.name: each.choices[-1].value for each in options[-1:] if each.choices}
    publish(house, game, options=other)

    form = client.get(reverse("what-if"), {"game": game}).context["form"]

    for option in options:
        for name, value in option.posted(other.get(option.name, option.default)).items():
            assert str(form[name].value()) == value
        field = form.fields.get(f"option-{option.name}")
        values = [value for value, _label in field.choices] if field else []
        assert values[: len(option.choices)] == [each.written for each in option.choices]


def test_fee_and_home_throw_start_from_what_holds(house: House, client: Client) -> None:
    home(house, 1, 3, 6)
    publish(house, fee=RAKE, home_throws=HouseRules.HomeThrows.HOUSE)

    page = client.get(reverse("what-if"), {"game": "stone-hand"})

    form = page.context["form"]
    assert (form["fee"].value(), form["fee-percent"].value()) == ("rake", 5)
    assert (form["home"].value(), form["home_throw"].value()) == ("named", "1-3-6")
    assert "a part of the pot (in force)" in page.content.decode()


@pytest.mark.parametrize(
    ("home_throws", "kind"), [("none", "none"), ("attendant", "was"), ("players", "was")]
)
def test_a_home_throw_that_the_house_does_not_name_is_no_figure_of_the_form(
    house: House, client: Client, home_throws: str, kind: str
) -> None:
    home(house, 1, 3, 6)
    publish(house, home_throws=home_throws)

    form = client.get(reverse("what-if"), {"game": "stone-hand"}).context["form"]

    assert (form["home"].value(), form["home_throw"].value()) == (kind, "")


def test_without_published_rules_the_fee_stays_as_it_was(client: Client) -> None:
    form = client.get(reverse("what-if"), {"game": "stone-hand"}).context["form"]
    assert (form["fee"].value(), form["home"].value()) == ("was", "was")


def test_another_game_keeps_the_days_and_has_an_address(client: Client) -> None:
    days = {"since": "2026-11-01", "until": "2026-11-20"}
    answer = client.post(reverse("what-if"), filled(client, choose="river", **days))

    assert answer.headers["Location"].endswith(
        "/what-if/?game=river&since=2026-11-01&until=2026-11-20"
    )
    form = client.get(answer.headers["Location"]).context["form"]
    assert form["since"].value() == "01/11/2026"
    assert "option-min_raise-amount" in form.fields
    assert "price" in form.fields
    assert "home" not in form.fields


@pytest.mark.parametrize("address", [{"game": "chess"}, {"since": "x"}, {"until": "2026-13-45"}])
def test_what_is_no_address_of_ours_is_no_error(client: Client, address: dict[str, str]) -> None:
    page = client.get(reverse("what-if"), address)
    assert page.status_code == HTTPStatus.OK
    assert page.context["defaults"].form is None


# --- What counts -----------------------------------------------------------------------------


@pytest.mark.rows(3)
@pytest.mark.parametrize("game", ["", *(each.game for each in forms_of_games())])
def test_a_form_that_is_sent_as_it_came_changes_nothing(
    house: House, client: Client, game: str
) -> None:
    home(house, 1, 3, 6)
    if game:
        publish(house, game, fee=SEAT if opening_forms.is_for_money(OPENINGS[game], {}) else None)

    assert list(errors(client, game)) == ["__all__"]


# fmt: off
OTHERWISE = [
    # What is chosen otherwise counts, and nothing else.
    ({"option__rethrow": "1"}, Change(options={"rethrow": 1})),
    ({"option__triads": "false"}, Change(options={"triads": False})),
    ({"option__triad_pay": "amount", "option__triad_pay__amount": "4"},
     Change(options={"triad_pay": 4})),
    ({"stake": "40"}, Change(stake=40)),
    ({"fee": ""}, Change(fee={})),
    ({"fee": "seat", "fee__amount": "2"}, Change(fee={"kind": "seat", "amount": 2})),
    ({"fee__percent": "6"}, Change(fee={"kind": "rake", "percent": 6})),
    ({"fee__cap": "9"}, Change(fee={"kind": "rake", "percent": 5, "cap": 9})),
    ({"fee": "time", "fee__amount": "1", "fee__minutes": "30"},
     Change(fee={"kind": "time", "amount": 1, "minutes": 30})),
    # H1: in any order, with anything between; what stands in force already is no change.
    ({"home_throw": "8 3 1"}, Change(home_throw=(1, 3, 8))),
    ({"home_throw": "631", "stake": "5"}, Change(stake=5)),
    ({"home": "none"}, Change(home_throw=())),
]
# fmt: on


@pytest.mark.rows(3)
@pytest.mark.parametrize(("other", "change"), OTHERWISE)
def test_only_what_is_another_counts(
    house: House, client: Client, other: dict[str, str], change: Change
) -> None:
    home(house, 1, 3, 6)
    publish(house, fee=RAKE, home_throws=HouseRules.HomeThrows.HOUSE)

    found = change_of(client, "stone-hand", **other)

    assert found == Change(**{**change.as_json(), "game": "stone-hand"})


def test_what_holds_now_may_be_asked_of_days_on_which_other_rules_held(
    house: House, client: Client
) -> None:
    publish(house, options={"rethrow": 1}, fee=RAKE)

    found = change_of(client, "stone-hand", also="on")

    assert found.options == {
        each.name: 1 if each.name == "rethrow" else each.default
        for each in OPENINGS["stone-hand"].options
    }
    assert found.fee == RAKE


def test_rules_that_are_published_meanwhile_are_no_change_of_whoever_asks(
    house: House, client: Client
) -> None:
    """The form knows from which rules it was filled in."""
    publish(house, fee=RAKE)
    sent = filled(client, "stone-hand", stake="30")
    publish(house, fee={"kind": "seat", "amount": 3}, options={"rethrow": 2})

    answer = client.post(reverse("what-if"), sent)

    assert answer.status_code == HTTPStatus.FOUND
    assert Change.from_json(WhatIf.objects.get().change) == Change(game="stone-hand", stake=30)


def test_of_every_game_at_once_fee_and_home_throws_may_be_others(
    house: House, client: Client
) -> None:
    game = opened(house, table=house.tables[1], stake=20)
    found = change_of(
        client, fee="seat", fee__amount="1", home="named", home_throw="1-3-8", player="Ada",
        player_home="2-4-8",
    )  # fmt: skip

    assert found == Change(
        fee={"kind": "seat", "amount": 1}, home_throw=(1, 3, 8),
        player_homes={token(house, game, "Ada"): (2, 4, 8)},
    )  # fmt: skip


# --- What cannot be meant --------------------------------------------------------------------

# fmt: off
WRONG = [
    ("", {"since": "x"}, "since", "is not a date"),
    ("", {"fee": "", "since": "2026-11-20", "until": "2026-11-19"}, "until", "before it begins"),
    ("", {"fee": "seat"}, "fee-amount", "Say how much"),
    ("", {"fee": "time", "fee__amount": "1"}, "fee-minutes", "Say how much"),
    ("", {"fee": "rake", "fee__percent": "50"}, "fee-percent", "less than or equal to 10"),
    ("", {"fee": "rake", "fee__percent": "5", "fee__cap": "0"}, "fee-cap", "or more"),
    ("", {"fee": "tip"}, "fee", "valid choice"),
    ("", {"home": "named"}, "home_throw", "Three faces"),
    ("", {"home": "named", "home_throw": "1-3-9"}, "home_throw", "Three faces"),
    ("", {"home": "named", "home_throw": "2-2-2"}, "home_throw", "another scoring throw"),
    ("", {"player": "Nobody", "player_home": "1-3-6"}, "player", "Nobody of this name"),
    ("", {"player_home": "1-3-6"}, "player", "Nobody of this name"),
    ("", {"player": "Ada"}, "player_home", "Three faces"),
    ("stone-hand", {"stake": "0"}, "stake", "or more"),
    ("stone-hand", {"stake": "1.5"}, "stake", "Enter an amount"),
    ("stone-hand", {"stake": str(COINS_MAX + 1)}, "stake", "At most "),
    ("stone-hand", {"option__triad_pay": "amount"}, "option-triad_pay-amount", "Say how much"),
    ("stone-hand", {"option__runs": "round"}, "option-runs", "valid choice"),
    ("threes-away", {"option__ante__amount": "much"}, "option-ante-amount", "Enter a whole number"),
    ("threes-away", {"option__ante__amount": ""}, "option-ante-amount", "Say how much"),
    ("river", {"price": "-1"}, "price", "or more"),
]
# fmt: on


@pytest.mark.usefixtures("house")
@pytest.mark.parametrize(("game", "other", "name", "sentence"), WRONG)
def test_an_error_names_the_field_it_is_about(
    client: Client, game: str, other: dict[str, str], name: str, sentence: str
) -> None:
    found = errors(client, game, **other)

    assert sentence in " ".join(found[name])


def test_while_one_is_on_its_way_what_was_filled_in_is_kept(house: House, client: Client) -> None:
    begun(house)

    answer = client.post(reverse("what-if"), filled(client, "stone-hand", stake="33"))

    assert answer.status_code == HTTPStatus.CONFLICT
    assert "Another one is on its way" in answer.content.decode()
    assert answer.context["form"]["stake"].value() == "33"


# --- From asking to the answer ---------------------------------------------------------------


def test_a_manager_asks_in_the_browser_and_reads_the_answer(house: House, client: Client) -> None:
    answer = client.post(reverse("what-if"), filled(client, fee="seat", fee__amount="1"))
    [run] = WhatIf.objects.filter(establishment=house.id)
    finished(run)
    page = client.get(answer.headers["Location"])

    assert answer.status_code == HTTPStatus.FOUND
    text = page.content.decode()
    assert "fee: 1\N{NO-BREAK SPACE}r for each seat and round" in text
    assert "As it would have been" in text
    assert "Ada" in text


def test_an_option_is_described_as_in_the_form(client: Client) -> None:
    answer = client.post(
        reverse("what-if"), filled(client, "stone-hand", option__rethrow="2", stake="80")
    )
    text = client.get(answer.headers["Location"]).content.decode()

    assert "Throws again by choice (SH11): twice" in text
    assert "stake of each player: 80" in text


def test_runs_from_before_stakes_were_offered_are_read(house: House, client: Client) -> None:
    run = finished(begun(house))
    older = {name: each for name, each in run.change.items() if name not in {"stake", "price"}}
    WhatIf.objects.filter(id=run.id).update(parameters={"change": older})

    assert Change.from_json(older) == changes.parse(fee="kind=seat,amount=1")
    assert client.get(reverse("what-if-one", args=[run.id])).status_code == HTTPStatus.OK


def test_what_the_pages_ask_the_database_does_not_grow(
    house: House, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    run = finished(begun(house))
    for _ in range(3):
        finished(begun(house))
    WhatIfGame.objects.bulk_create(
        WhatIfGame(
            establishment=house.establishment, job=run.id, seq=seq, game=row.game,
            undecided=False, details=row.details,
        )
        for row in WhatIfGame.objects.filter(job=run.id)
        for seq in range(1, 120)
    )  # fmt: skip
    publish(house, fee=RAKE)
    client = signed_in(house, Role.MANAGER)
    client.get(reverse("what-if"))

    with django_assert_num_queries(PAGE_QUERIES):
        client.get(reverse("what-if"))
    with django_assert_num_queries(FORM_QUERIES):
        client.get(reverse("what-if"), {"game": "stone-hand"})
    with django_assert_num_queries(ONE_QUERIES):
        client.get(reverse("what-if-one", args=[run.id]))
