"""What a form of an opening was refused for is said with the form's own names (C2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse
from django.utils import timezone, translation

from casino.house.acts.game_streams import catalogue
from casino.house.attendants.models import Role
from casino.house.home_throws import house_rules
from casino.words.languages import locales
from casino.words.presenters.registered import OPENINGS
from games import vocabulary
from games.refusals import OptionValue
from tests.support import builders

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.builders import House


@pytest.fixture
def house() -> House:
    return builders.house()


OPTIONS = [(form.game, option) for form in OPENINGS.values() for option in form.options]


@pytest.fixture
def in_cents() -> Iterator[None]:
    locales.use("en-GB", "€", 2)
    yield
    locales.use(locales.USUAL)


def refusal(game: str, **options: Any) -> str:
    """The sentence of the game's own rules, as the ledger keeps it."""
    raw = {"do": "open", "game": game, "players": ["Ada", "Bo"], "stake": 9, "options": options}
    ruleset = catalogue.current(game)
    command = ruleset.parse("open", vocabulary.read(raw))
    with pytest.raises(OptionValue) as refused:
        ruleset.decider.decide(command, ruleset.decider.initial)
    return str(refused.value)


@pytest.mark.parametrize(("game", "option"), OPTIONS, ids=lambda each: getattr(each, "name", each))
@pytest.mark.parametrize("language", ["en", "it"])
def test_a_value_that_there_is_none_of(game: str, option: Any, language: str) -> None:
    sentence = refusal(game, **{option.name: "nonsense"})

    with translation.override(language):
        words = house_rules.refusal_in_words(game, sentence)
        assert words.startswith(f"{option.label}: ")
        assert all(str(choice.label) in words for choice in option.choices)
    assert "options." not in words
    assert "whole number" not in words


@pytest.mark.parametrize("language", ["en", "it"])
@pytest.mark.parametrize(("game", "option"), OPTIONS, ids=lambda each: getattr(each, "name", each))
def test_a_value_that_the_house_does_not_play(game: str, option: Any, language: str) -> None:
    written = [each.written for each in option.choices] or ["3", "4"]
    here, usual = written[0], written[-1]
    sentence = (
        f"options.{option.name} is {here}, the house plays {usual} (rules 3). Ask a supervisor."
    )

    with translation.override(language):
        words = house_rules.refusal_in_words(game, sentence)
        labels = [str(each.label) for each in option.choices] or ["3", "4"]
    assert f"“{labels[0]}”" in words
    assert f"“{labels[-1]}”" in words
    assert "options." not in words
    assert "{" not in words


@pytest.mark.usefixtures("in_cents")
def test_amounts_have_the_house_s_decimals_and_points_have_none() -> None:
    money = house_rules.refusal_in_words(
        "threes-away", "options.unit is 250, the house plays 100 (rules 1)."
    )
    points = house_rules.refusal_in_words(
        "threes-away", "options.ante is 2, the house plays 1 (rules 1)."
    )
    unknown = house_rules.refusal_in_words("threes-away", refusal("threes-away", ante=0))

    assert money == "A point is worth: here “2.50\xa0€”, the house plays “1.00\xa0€” (rules 1)."
    assert points == "Ante: here “2”, the house plays “1” (rules 1)."
    assert unknown == "Ante: choose 1 or more."


def test_another_sentence_is_translated_as_it_is() -> None:
    with translation.override("it"):
        words = house_rules.refusal_in_words(
            "river", "river is not played at this house: choose another game. A4"
        )
    assert "river" in words
    assert "casa" in words


@pytest.mark.django_db
@pytest.mark.long("postgresql")
@pytest.mark.parametrize("game", sorted(OPENINGS))
@pytest.mark.parametrize("allowed", list(house_rules.MAY_DEVIATE))
def test_what_would_be_refused_is_not_offered(house: House, game: str, allowed: str) -> None:
    """Every choice of every game, for each role that opens one: the others say who may."""
    now = timezone.now()
    house_rules.publish(
        establishment=house.establishment, game=game, effective_from=now, by=house.manager,
        now=now, deviations=allowed,
    )  # fmt: skip
    for role in (Role.ATTENDANT, Role.SUPERVISOR, Role.MANAGER):
        browser = builders.signed_in(house.people[role])
        shown = browser.get(reverse("floor-open", args=[house.table.pk]), {"game": game})
        form = shown.context["form"]
        options = [*form["main"], *form["options"]]
        offered = [
            choice["value"] != each["usual"]
            for each in options
            for choice in each.get("choices", ())
            if not choice.get("refused")
        ]
        amounts = [each for each in options if "amount" in each and not each.get("bound")]
        may = role in house_rules.MAY_DEVIATE[allowed]
        assert (any(offered), bool(amounts)) == (
            may,
            may and any("amount" in each for each in options),
        )
        html = shown.content.decode()
        assert ("nobody opens a game with other options" in html) == (allowed == "nobody")
        assert ("a supervisor or a manager opens the game" in html) == (
            allowed == "supervisor" and not may
        )
        choices = [each for of in options for each in of.get("choices", ())]
        refused = [each for each in (*choices, *form["home_throws"]) if each.get("refused")]
        assert html.count(" disabled>") >= len(refused)
