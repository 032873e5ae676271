"""Odds on the command line, in the API and on their page: the same answers."""

from __future__ import annotations

import json
from http import HTTPStatus
from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from casino.house.attendants.models import Role
from casino.house.home_throws import house_rules
from casino.house.home_throws.operations import set_home_throw
from casino.play.dice.odds.queries import GAMES, answer
from casino.words.presenters.odds_tables import as_json
from tests.support import builders

if TYPE_CHECKING:
    from pytest_django import DjangoAssertNumQueries

ODDS = "/api/v1/odds/"
THREES = ["--dice", "1,3,3,5,6", "--target", "4"]


def printed(*words: str) -> str:
    out = StringIO()
    call_command("odds", *words, stdout=out)
    return out.getvalue()


# --- The command line -----------------------------------------------------------------------------


@pytest.mark.parametrize("game", list(GAMES))
def test_the_command_prints_what_is_answered(game: str) -> None:
    document = json.loads(printed(game))

    assert document == json.loads(json.dumps(as_json(answer(game, {}))))


def test_the_command_takes_dice_and_options() -> None:
    document = json.loads(printed("threes-away", *THREES, "--zero", "3"))
    keep = next(table for table in document["tables"] if table["name"] == "keep")

    assert document["asked"]["target"] == 4
    assert keep["rows"][0]["keep"] == [3, 3]
    assert keep["rows"][0]["reaches"]["exact"] == "427/864"
    lots = json.loads(printed("river", "--hole", "4,6,8,10,12", "--banker", "1,2,3,4,5"))["tables"][
        0
    ]
    assert [row["rank"] for row in lots["rows"]] == [1] * 6


def test_the_command_prints_tables_for_people() -> None:
    output = printed("stone-hand", "--pretty", "--home-throw", "1,3,6", "--home-throw", "2,4,7")

    assert "Home throws in force: 1-3-6, 2-4-7." in output
    assert "21/64  32.81 %" in output
    assert "Without effect: homes, leave." in output
    assert "* 3-3" in printed("threes-away", *THREES, "--pretty")


@pytest.mark.parametrize(
    "words", [("river", "--hole", "4,6,8,10,13"), ("stone-hand", "--runs", "bent")]
)
def test_what_cannot_be_meant_ends_in_a_sentence_and_two(words: tuple[str, ...]) -> None:
    output = StringIO()

    with pytest.raises(SystemExit) as ended:
        call_command("odds", *words, stderr=output)

    assert ended.value.code == 2
    assert words[1].strip("-").replace("-", "_") in output.getvalue()


@pytest.mark.parametrize("words", [("chess",), ("river", "--target", "4"), ()])
def test_an_unknown_game_or_argument_is_refused(words: tuple[str, ...]) -> None:
    with pytest.raises(CommandError):
        call_command("odds", *words)


# --- The API --------------------------------------------------------------------------------------


@pytest.mark.long("postgresql")
@pytest.mark.django_db
def test_the_api_lists_games_and_what_may_be_asked() -> None:
    client = builders.house().client()

    games = client.get(ODDS).json()

    assert [each["game"] for each in games] == list(GAMES)
    for each in games:
        assert client.get(each["url"]).status_code == HTTPStatus.OK
        assert {row["name"] for row in each["fields"]} == {
            field.name for field in GAMES[each["game"]].fields
        }


@pytest.mark.django_db
def test_the_api_answers_exactly() -> None:
    client = builders.house().client(Role.AUDITOR)

    document = client.get(f"{ODDS}stone-hand/?runs=straight&players=3").json()

    throw = document["tables"][0]
    assert {row["hand"]: row["throws"] for row in throw["rows"]} == {
        "pair": 168, "run": 36, "triple": 8, "triad": 12, "home": 6, "empty": 282,
    }  # fmt: skip
    assert throw["rows"][2]["chance"] == {"exact": "21/64", "decimal": "0.328125000000"}
    assert {row["option"] for row in document["unmoved"]} == {"homes", "leave"}


# fmt: off
PROBLEMS = [
    ("stone-hand/?colour=red",          400, "malformed"),
    ("stone-hand/?players=x",           400, "malformed"),
    ("stone-hand/?players=",            400, "malformed"),
    ("stone-hand/?players=99",          422, "no_such_odds"),
    ("stone-hand/?runs=bent",           422, "option_value"),
    ("river/?hole=4,6,8,10,13",         422, "no_such_face"),
    ("threes-away/?dice=1,2&kept=99",   422, "no_such_odds"),
    ("chess/",                          404, "not_found"),
]
# fmt: on


@pytest.mark.long("postgresql")
@pytest.mark.django_db
@pytest.mark.parametrize(("query", "status", "code"), PROBLEMS)
def test_bad_input_is_a_problem_document(query: str, status: int, code: str) -> None:
    failure = builders.house().client().get(ODDS + query)

    assert (failure.status_code, failure.json()["code"]) == (status, code)
    assert failure.headers["Content-Type"] == "application/problem+json"


@pytest.mark.django_db
def test_strangers_are_not_answered() -> None:
    assert builders.client().get(f"{ODDS}river/").status_code == HTTPStatus.UNAUTHORIZED
    assert Client().get("/odds/river/").status_code == HTTPStatus.FOUND


# --- The page -------------------------------------------------------------------------------------


def signed_in(person: Any) -> Client:
    client = Client()
    client.force_login(person)
    return client


@pytest.mark.rows(3)
@pytest.mark.long("postgresql")
@pytest.mark.django_db
@pytest.mark.parametrize("game", list(GAMES))
def test_everybody_of_a_house_sees_the_odds(game: str) -> None:
    house = builders.house()
    for person in house.people.values():
        page = signed_in(person).get(reverse("odds-of", args=[game]))
        assert page.status_code == HTTPStatus.OK
        assert page.text.count('<svg class="plot ') >= 2
        for table in answer(game, {}).tables:
            assert table.title in page.text


@pytest.mark.long("postgresql")
@pytest.mark.django_db
def test_the_office_leads_there() -> None:
    orso = signed_in(builders.house().manager)

    assert f'href="{reverse("games")}"' in orso.get("/").text
    assert f'href="{reverse("odds")}"' in orso.get(reverse("games")).text
    assert orso.get(reverse("odds"), follow=True).status_code == HTTPStatus.OK


@pytest.mark.long("postgresql")
@pytest.mark.django_db
def test_the_page_takes_dice_one_by_one_and_marks_the_best() -> None:
    page = signed_in(builders.house().attendant).get(
        "/odds/threes-away/", {"dice": ["1", "3", "3", "5", "6"], "target": "4", "players": ""}
    )

    assert "Finish" in page.text or "4 or under" in page.text
    assert page.text.count("odds-best") == 1
    assert "49.42 %" in page.text
    assert '<option value="5" selected>5</option>' in page.text


@pytest.mark.django_db
def test_a_house_s_own_home_throw_is_the_one_asked_for_first() -> None:
    """H1; where it scores in another game, as the house has decided."""
    house = builders.house()
    set_home_throw(
        establishment=house.establishment, faces=(2, 4, 6),
        effective_from=timezone.now(), by=house.manager,
        override_reason="It is the number of the house.",
    )  # fmt: skip

    for game in ("stone-hand", "cinnabar-gate"):
        assert "Home throws in force: 2-4-6." in signed_in(house.manager).get(f"/odds/{game}/").text


@pytest.mark.django_db
@pytest.mark.parametrize("game", GAMES)
def test_the_page_opens_with_every_option_of_the_house(game: str) -> None:
    """All options that change the odds, each at another value than the usual one."""
    house, now = builders.house(), timezone.now()
    options = {
        field.name: next(each for each in values(field.kind) if each != field.default)
        for field in GAMES[game].fields
        if field.is_option and not field.unmoved
    }
    house_rules.publish(
        establishment=house.establishment, game=game, effective_from=now, by=house.manager,
        now=now, options=options,
    )  # fmt: skip

    shown = signed_in(house.manager).get(f"/odds/{game}/").context

    assert {name: shown["answer"].options[name] for name in options} == options
    assert not shown["is_beyond"]


def values(kind: Any) -> list[Any]:
    return [*kind.values, *(kind.numbers or ())[:3]]


@pytest.mark.django_db
def test_an_option_beyond_the_odds_is_left_out_and_the_page_says_so() -> None:
    house, now = builders.house(), timezone.now()
    house_rules.publish(
        establishment=house.establishment, game="cinnabar-gate", effective_from=now,
        by=house.manager, now=now, options={"variant": "arcade", "junk_rethrows": 40},
    )  # fmt: skip
    client = signed_in(house.manager)

    page = client.get("/odds/cinnabar-gate/")

    assert page.context["answer"].options["variant"] == "arcade"
    assert "go beyond what odds are worked out for" in page.text
    asked = client.get("/odds/cinnabar-gate/", {"variant": "table"})
    assert "go beyond what odds are worked out for" not in asked.text


@pytest.mark.django_db
def test_what_cannot_be_meant_stands_on_the_page_beside_the_form() -> None:
    orso = signed_in(builders.house().manager)

    page = orso.get("/odds/stone-hand/", {"home_throw": "2,2,3", "rethrow": "2"})

    assert page.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "Home throw 2-2-3 is another scoring throw" in page.text
    assert 'value="2,2,3"' in page.text
    assert "<details open>" in page.text  # what was chosen is to be seen
    assert orso.get("/odds/chess/").status_code == HTTPStatus.NOT_FOUND


@pytest.mark.django_db
def test_whoever_is_employed_nowhere_is_told_so() -> None:
    assert signed_in(builders.person()).get("/odds/river/").status_code == HTTPStatus.FORBIDDEN


@pytest.mark.django_db
def test_the_page_asks_the_database_for_the_house_alone(
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    orso = signed_in(builders.house().manager)

    with django_assert_max_num_queries(16):  # with what waits in the rail
        orso.get("/odds/river/")


# fmt: off
MONEY = [
    # game, asked, what stands on the page, what does not
    ("stone-hand", {}, ["€10.00", "€2.00", 'name="unit" value="2.00"'], []),
    ("stone-hand", {"unit": "1", "stake": "3"}, ["€3.00", 'name="stake" value="3.00"'], ["€5"]),
    ("stone-hand", {"mode": "drinks", "unit": "2"}, [], ["€1"]),
    ("stone-hand", {"home_throw": "1-4-6"}, ["€10.00", 'name="unit" value="2.00"'], []),
    ("cinnabar-gate", {}, ["€16.00", 'name="unit" value="2.00"'], []),
    ("cinnabar-gate", {"variant": "arcade"}, [], ["€1"]),
    ("stone-hand", {"players": "99"}, ["Players is 99: the odds are worked out for 2 to 8."], []),
    ("stone-hand", {"stake": "0"}, ["Stake is 0.00:", "for amounts of 0.01 to 90,071,992"], []),
    ("stone-hand", {"stake": "abc"}, ["Stake is an amount, not"], ["whole number"]),
    ("stone-hand", {"unit": "-1"}, [": choose from €0.01 to €10,000,000,000.00."], ["options."]),
    ("cinnabar-gate", {"junk_rethrows": "12"}, [" is 12: the odds are worked out"], ["options."]),
]
# fmt: on


@pytest.mark.django_db
@pytest.mark.parametrize(("game", "asked", "said", "unsaid"), MONEY)
def test_the_page_asks_and_answers_in_the_house_s_money(
    game: str, asked: dict[str, str], said: list[str], unsaid: list[str]
) -> None:
    """G11: a point is worth what it is at the house: its smallest piece, if no rules say it."""
    house = builders.house(
        coin_digits=2, currency_code="EUR", currency_symbol="€",
        denominations=[{"value": 200, "name": ""}, {"value": 500, "name": ""}],
    )  # fmt: skip
    client = Client()
    client.force_login(house.attendant)

    page = client.get(reverse("odds-of", args=[game]), asked).content.decode()

    assert "<details open" not in page or asked
    assert [each for each in said if each not in page] == []
    assert [each for each in unsaid if each in page] == []
