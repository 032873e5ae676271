"""The settings pages: managers change, auditors read, nobody else looks; each change on record."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import pytest
from django.urls import reverse
from django.utils import timezone

from casino.house.attendants.models import Role
from casino.house.establishments.models import Change, Establishment, HouseRules, Table
from casino.house.home_throws.models import HomeThrow
from casino.kit.approvals.models import RequestRow
from casino.play.dice.models import DiceSet
from casino.play.settlement.models import PrizeRule
from casino.words.presenters.registered import OPENINGS
from ledger import journal
from tests.support import builders
from tests.support.settings_pages import browser, house_form, page, send

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql")]

PAGES = ("", "tables/", "dice/", "rules/", "rules/river/", "home-throws/", "changes/")


@pytest.fixture
def house() -> House:
    return builders.house()


@pytest.mark.rows(14)
@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize(
    ("role", "status"),
    [(Role.ATTENDANT, 403), (Role.SUPERVISOR, 403), (Role.MANAGER, 200), (Role.AUDITOR, 200)],
)
def test_d1_managers_and_auditors_look(house: House, path: str, role: Role, status: int) -> None:
    assert page(house, path, role).status_code == status


@pytest.mark.parametrize("path", ["", "rules/river/", "home-throws/", "tables/new/", "dice/new/"])
@pytest.mark.parametrize("role", [Role.ATTENDANT, Role.SUPERVISOR, Role.AUDITOR])
def test_d1_nobody_but_a_manager_changes(house: House, path: str, role: Role) -> None:
    head = journal.head(establishment=house.id)

    assert send(house, path, {}, role).status_code == 403
    assert journal.head(establishment=house.id) == head


def test_an_auditor_sees_the_fields_and_no_button(house: House) -> None:
    text = page(house, "", Role.AUDITOR).content.decode()

    assert "disabled" in text
    assert "Save" not in text


def test_fields_that_no_form_has_are_passed_over(house: House) -> None:
    sent = {"name": "Garden", "in_use": "on", "do": "x", "self": "x", "now": "x"}

    assert send(house, "tables/new/", sent).status_code == 302


def test_another_house_s_table_is_nowhere(house: House) -> None:
    other = builders.house()

    assert page(house, f"tables/{other.table.pk}/").status_code == 404
    assert page(house, f"dice/{other.dice.pk}/").status_code == 404


class TestTheHouse:
    def test_what_changes_is_recorded_and_shown(self, house: House) -> None:
        answer = send(house, "", house_form(house, large_prize="900", reason="Slow winter."))

        assert answer.status_code == 302, answer.content
        assert Establishment.objects.get(pk=house.id).large_prize == 900
        row = Change.objects.get(establishment=house.id)
        assert (row.before or {})["large_prize"] == 500
        log = page(house, "changes/", Role.AUDITOR).content.decode()
        assert "large prize" in log
        assert "Slow winter." in log

    def test_coins_and_chips_are_listed_by_value_and_name(self, house: House) -> None:
        send(house, "", house_form(house, counted="1 white\n5  red\n\n25 blue chip"))

        assert Establishment.objects.get(pk=house.id).denominations == [
            {"value": 1, "name": "white"},
            {"value": 5, "name": "red"},
            {"value": 25, "name": "blue chip"},
        ]

    @pytest.mark.parametrize(
        ("sent", "said"),
        [
            ({"counted": "1\nfive red"}, "Line 2"),
            ({"counted": "5\n5"}, "5 is listed twice"),
            ({"counted": "0 none"}, "Row 1"),
            ({"large_prize": "0"}, "1\N{NO-BREAK SPACE}r or more"),
            ({"cash_threshold": "-4"}, "or more"),
            ({"time_zone": "Europe/Atlantis"}, "valid choice"),
            ({"closing_grace": "100000"}, "less than or equal to"),
            ({"name": ""}, "required"),
        ],
    )
    def test_wrong_values_are_told_at_their_field(
        self, house: House, sent: dict[str, Any], said: str
    ) -> None:
        answer = send(house, "", house_form(house, **sent))

        assert answer.status_code == 422
        assert said in answer.content.decode()
        assert not Change.objects.exists()

    def test_the_coin_is_fixed_once_money_moved(self, house: House) -> None:
        assert send(house, "", house_form(house, coin_digits="2")).status_code == 302
        builders.opened(house, stake=2500)

        answer = send(house, "", house_form(house, coin_digits="0"))

        assert "no longer change" in answer.content.decode()
        assert Establishment.objects.get(pk=house.id).coin_digits == 2

    def test_a_second_tap_changes_nothing_more(self, house: House) -> None:
        sent = house_form(house, large_prize="900", command_id=str(uuid.uuid4()))
        for _ in range(2):
            assert send(house, "", sent).status_code == 302
        assert Change.objects.count() == 1

    def test_c1_where_two_configure_it_waits(self, house: House) -> None:
        Establishment.objects.filter(pk=house.id).update(two_configure=True)
        without = send(house, "", house_form(house, large_prize="900"))
        assert "Give a reason" in without.content.decode()

        answer = send(house, "", house_form(house, large_prize="900", reason="Winter."))

        assert answer.status_code == 302
        assert Establishment.objects.get(pk=house.id).large_prize == 500
        assert RequestRow.objects.filter(establishment=house.id).count() == 1


class TestTablesAndDice:
    def test_a_table_is_added_limited_and_taken_out_of_use(self, house: House) -> None:
        assert send(house, "tables/new/", {"name": "Garden", "in_use": "on"}).status_code == 302
        garden = Table.objects.get(name="Garden")
        send(house, f"tables/{garden.pk}/", {"name": "Garden", "stake_min": "5"})

        garden.refresh_from_db()
        assert (garden.stake_min, garden.in_use) == (5, False)
        text = page(house, f"tables/{garden.pk}/").content.decode()
        assert "least stake" in text
        assert "in use" in text

    @pytest.mark.parametrize(
        ("sent", "said"),
        [
            ({"name": "Table 2"}, "a table of that name already"),
            ({"name": "New", "stake_min": "9", "stake_max": "5"}, "less than the least"),
            ({"name": ""}, "required"),
            ({"name": "x" * 41}, "at most 40 characters"),
        ],
    )
    def test_what_does_not_fit_is_told(self, house: House, sent: dict[str, str], said: str) -> None:
        assert said in send(house, "tables/new/", sent).content.decode()
        assert Table.objects.filter(establishment=house.id).count() == 2

    def test_a_dice_set_is_added_and_withdrawn(self, house: House) -> None:
        sent = {"number": "N-1", "sides": "6", "count": "5", "colour": "ink"}
        assert send(house, "dice/new/", sent).status_code == 302
        new = DiceSet.objects.get(number="N-1")
        send(house, f"dice/{new.pk}/", {"colour": "ink", "withdrawn": "on", "sides": "8"})

        new.refresh_from_db()
        assert (new.sides, new.withdrawn) == (6, True)  # what was thrown was thrown with a d6
        assert "a dice set of that number" in send(house, "dice/new/", sent).content.decode()


class TestHomeThrows:
    def sent(self, *faces: int, **more: Any) -> dict[str, Any]:
        first, second, third = faces
        return {"first": first, "second": second, "third": third, "begins": "now", **more}

    def test_it_is_set_with_its_story_and_shown_with_its_odds(self, house: House) -> None:
        answer = send(house, "home-throws/", self.sent(6, 1, 3, story="The bridge."))

        assert answer.status_code == 302, answer.content
        assert HomeThrow.objects.get().faces == (1, 3, 6)
        text = page(house, "home-throws/").content.decode()
        assert "The bridge." in text
        assert "3/256" in text  # 6 of the 512
        assert "home_throw=1-3-6" in text

    def test_both_stand_with_what_each_game_plays(self, house: House) -> None:
        """H3: neither ends the other, on the page and in the API, whichever was set later."""
        send(house, "home-throws/", self.sent(2, 4, 7, game="stone-hand"))
        send(house, "home-throws/", self.sent(1, 3, 6))

        text = page(house, "home-throws/").content.decode()

        assert text.count("in force</span>") == 2
        played = text[text.index('<dl class="facts">') : text.index("</dl>")]
        own, general = played.split("Cinnabar Gate")
        assert ("its own" in own, "the one for every game" in general) == (True, True)

    def test_the_next_one_says_which_it_follows(self, house: House) -> None:
        send(house, "home-throws/", self.sent(1, 3, 6))
        send(house, "home-throws/", self.sent(2, 4, 7))

        event = journal.last(establishment=house.id, stream="record/home_throw")
        assert event is not None
        assert (event.data["before"]["high"], event.data["after"]["high"]) == (6, 7)

    @pytest.mark.parametrize(
        ("sent", "said"),
        [
            ({"first": 2, "second": 2, "third": 5}, "another scoring throw"),
            ({"first": 9}, "valid choice"),
            ({"begins": "later"}, "Say from when on"),
            ({"begins": "later", "effective_from": "2020-01-01T00:00"}, "nothing is announced"),
            ({"begins": "later", "effective_from": "9999-12-31T23:59"}, "So far ahead"),
            ({"begins": "later", "effective_from": "0001-01-01T00:00"}, "nothing is announced"),
            ({"begins": "later", "effective_from": "tomorrow"}, "is not a date and time"),
        ],
    )
    def test_what_may_not_be_is_told(self, house: House, sent: dict[str, Any], said: str) -> None:
        Establishment.objects.filter(pk=house.id).update(time_zone="America/New_York")
        answer = send(house, "home-throws/", self.sent(1, 3, 6) | sent)

        assert said in answer.content.decode()
        assert not HomeThrow.objects.exists()

    def test_a_later_one_is_by_the_house_s_clock(self, house: House) -> None:
        Establishment.objects.filter(pk=house.id).update(time_zone="Europe/Rome")
        day = timezone.now() + timedelta(days=3)
        later = f"{day:%Y-%m-%d}T20:00"
        send(house, "home-throws/", self.sent(1, 3, 6, begins="later", effective_from=later))

        begins = HomeThrow.objects.get().effective_from.astimezone(ZoneInfo("Europe/Rome"))
        assert f"{begins:%H:%M}" == "20:00"
        assert "to come" in page(house, "home-throws/").content.decode()


class TestRules:
    def sent(self, game: str, **more: Any) -> dict[str, Any]:
        """The form as it is first shown, with what was changed."""
        form: dict[str, Any] = {
            "played": "on", "deviations": "supervisor", "begins": "now", "fee": "",
        }  # fmt: skip
        for option in OPENINGS[game].options:
            form |= option.posted(option.default)
        if OPENINGS[game].homes:
            form["home_throws"] = "none"
        return form | more

    @pytest.mark.parametrize("game", OPENINGS)
    def test_every_game_is_published_from_its_form(self, house: House, game: str) -> None:
        assert page(house, f"rules/{game}/").status_code == 200

        answer = send(house, f"rules/{game}/", self.sent(game))

        assert answer.status_code == 302, answer.content
        rules = HouseRules.objects.get()
        assert (rules.game, rules.version, rules.options, rules.fee) == (game, 1, {}, None)
        assert "rules 1, since" in page(house, "rules/").content.decode()

    def test_options_fee_and_text_are_kept_and_shown_again(self, house: House) -> None:
        sent = self.sent(
            "stone-hand", fee="rake", text="No singing.", home_throws="house",
            **{"fee-percent": "5", "fee-cap": "3", "option-runs": "straight",
               "option-triad_pay": "amount", "option-triad_pay-amount": "4"},
        )  # fmt: skip
        assert send(house, "rules/stone-hand/", sent).status_code == 302

        rules = HouseRules.objects.get()
        assert rules.options == {"runs": "straight", "triad_pay": 4}
        assert rules.fee == {"kind": "rake", "percent": 5, "cap": 3}
        text = page(house, "rules/stone-hand/").content.decode()
        assert "No singing." in text
        assert "a rake of 5 percent, at most 3\N{NO-BREAK SPACE}r" in text
        assert '<option value="straight" selected>' in text

    @pytest.mark.parametrize(
        ("game", "sent", "said"),
        [
            ("stone-hand", {"fee": "rake"}, "fee.percent is missing"),
            ("stone-hand", {"fee": "rake", "fee-percent": "11"}, "less than or equal to 10"),
            ("stone-hand", {"fee": "seat", "fee-amount": "1", "option-mode": "drinks"}, "no fee"),
            ("cinnabar-gate", {"fee": "rake", "fee-percent": "5"}, "no pot"),
            ("stone-hand", {"begins": "later"}, "Say from when on"),
        ],
    )
    def test_what_the_rules_do_not_allow_is_told(
        self, house: House, game: str, sent: dict[str, Any], said: str
    ) -> None:
        answer = send(house, f"rules/{game}/", self.sent(game, **sent))

        assert said in answer.content.decode()
        assert not HouseRules.objects.exists()

    def test_no_rules_of_a_game_that_there_is_not(self, house: House) -> None:
        assert page(house, "rules/ludo/").status_code == 404


def test_the_rail_leads_there(house: House) -> None:
    assert reverse("settings") in browser(house).get("/").content.decode()
    attendant = browser(house, Role.ATTENDANT).get("/").content.decode()
    assert reverse("settings") not in attendant


def test_a_second_tap_adds_no_second_table_and_says_no_name_is_taken(house: House) -> None:
    sent = {"name": "Garden", "in_use": "on", "command_id": str(uuid.uuid4())}

    for _ in range(2):
        assert send(house, "tables/new/", sent).status_code == 302
    assert Table.objects.filter(establishment=house.id).count() == 3


def test_a_prize_is_added_and_taken_out_of_force(house: House) -> None:
    sent = {"ruleset": "stone-hand", "kind": "points", "at": "10", "prize": "A bottle",
            "amount": "25", "active": "on"}  # fmt: skip
    assert send(house, "prizes/new/", sent).status_code == 302
    rule = PrizeRule.objects.get(establishment=house.id)
    del sent["active"]
    send(house, f"prizes/{rule.pk}/", sent)

    rule.refresh_from_db()
    assert (rule.amount, rule.active) == (25, False)
    assert "A bottle" in page(house, "prizes/").content.decode()
    assert "a prize at this mark" in send(house, "prizes/new/", sent).content.decode()
    assert page(house, f"prizes/{rule.pk}/", Role.AUDITOR).status_code == 200
