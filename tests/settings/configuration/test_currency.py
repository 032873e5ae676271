"""A house's money: a currency of ISO 4217 or its own coin, and amounts when the decimals change."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from casino.house.attendants.models import Role
from casino.house.establishments.models import Change, Establishment
from casino.house.home_throws.house_rules import publish
from casino.play.settlement.models import PrizeRule
from tests.support import builders
from tests.support.settings_pages import browser, house_form, page, send

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = pytest.mark.django_db


@pytest.fixture
def house() -> House:
    return builders.house(currency="rod", currency_symbol="r")


def row(house: House) -> Establishment:
    return Establishment.objects.get(pk=house.id)


def coin(house: House) -> tuple[str, str, str, int]:
    at = row(house)
    return at.currency_code, at.currency, at.currency_symbol, at.coin_digits


def values_put(house: House, values: dict[str, Any]) -> Any:
    sent = {"command_id": str(uuid.uuid4()), "thing": "house", "values": values}
    return house.client(Role.MANAGER).post(house.url("configuration/"), sent, format="json")


class TestTheCode:
    def test_name_sign_and_decimals_follow(self, house: House) -> None:
        ignored = {"currency": "", "currency_symbol": "x", "coin_digits": ""}
        answer = send(house, "", house_form(house, currency_code="EUR", **ignored))

        assert answer.status_code == 302
        assert coin(house) == ("EUR", "Euro", "€", 2)
        builders.settled(house)
        changed = Change.objects.get()
        assert changed.after is not None
        assert changed.after.keys() >= {"currency_code", "currency_symbol", "coin_digits"}
        told = page(house, "changes/").content.decode()
        assert "code of the currency" in told

    @pytest.mark.long("postgresql")
    def test_amounts_are_written_with_its_sign_in_front(self, house: House) -> None:
        send(house, "", house_form(house, currency_code="EUR"))

        assert "€0.00" in browser(house).get("/accounts/").content.decode()

    @pytest.mark.long("postgresql")
    def test_an_own_coin_needs_its_words(self, house: House) -> None:
        answer = send(house, "", house_form(house, currency_symbol=""))

        assert answer.status_code == 422
        assert "of the house&#x27;s own needs this" in answer.content.decode()

    @pytest.mark.long("postgresql")
    def test_what_is_no_code_is_refused(self, house: House) -> None:
        answer = send(house, "", house_form(house, currency_code="ITL"))  # no longer tender

        assert "valid choice" in answer.content.decode()
        assert coin(house) == ("", "rod", "r", 0)

    @pytest.mark.long("postgresql")
    def test_who_saves_in_another_language_changes_nothing(self, house: House) -> None:
        send(house, "", house_form(house, currency_code="EUR"))
        house.people[Role.MANAGER].language = "it"
        house.people[Role.MANAGER].save()

        send(house, "", house_form(house, large_prize="700"))

        assert coin(house) == ("EUR", "Euro", "€", 2)
        send(house, "", house_form(house, large_prize="700", language="it", locale="it-IT"))
        assert coin(house) == ("EUR", "euro", "€", 2)

    @pytest.mark.long("postgresql")
    def test_a_program_sets_the_code_alone(self, house: House) -> None:
        assert values_put(house, {"currency_code": "JPY"}).status_code == 200
        assert coin(house) == ("JPY", "Japanese Yen", "JP¥", 0)

        refused = values_put(house, {"currency_symbol": "Y"})
        assert refused.status_code == 422
        assert "it follows from currency_code" in refused.json()["detail"]
        got = house.client(Role.MANAGER).get(house.url()).json()
        assert got["currency_code"] == "JPY"


class TestDecimals:
    @pytest.mark.long("postgresql")
    def test_amounts_of_the_same_form_are_read_with_the_new_ones(self, house: House) -> None:
        sent = house_form(house, coin_digits="2", large_prize="750.50", counted="0.50\n5 red")

        assert send(house, "", sent).status_code == 302
        at = row(house)
        assert (at.large_prize, at.cash_threshold) == (75_050, 1_000_000)
        assert [each["value"] for each in at.denominations] == [50, 500]

    @pytest.mark.long("postgresql")
    def test_they_go_back_where_nothing_is_lost(self, house: House) -> None:
        send(house, "", house_form(house, currency_code="EUR"))
        same = {"large_prize": "500", "cash_threshold": "10000", "counted": "1\n5"}

        assert send(house, "", house_form(house, currency_code="JPY", **same)).status_code == 302
        at = row(house)
        assert (at.coin_digits, at.large_prize, at.cash_threshold) == (0, 500, 10_000)

    @pytest.mark.long("postgresql")
    def test_an_amount_with_decimals_is_refused_where_there_are_none(self, house: House) -> None:
        send(house, "", house_form(house, currency_code="EUR"))
        sent = {"large_prize": "500.50", "cash_threshold": "10000", "counted": "1"}

        answer = send(house, "", house_form(house, currency_code="JPY", **sent))

        assert answer.status_code == 422
        assert coin(house)[0] == "EUR"

    def test_a_program_that_names_no_amounts_keeps_their_figures(self, house: House) -> None:
        assert values_put(house, {"currency_code": "EUR"}).status_code == 200

        at = row(house)
        assert (at.large_prize, at.cash_threshold) == (50_000, 1_000_000)
        assert [each["value"] for each in at.denominations] == [100, 500, 2500, 10_000, 50_000]

    @pytest.mark.long("postgresql")
    def test_a_program_s_amounts_are_smallest_coins(self, house: House) -> None:
        values = {"coin_digits": 2, "large_prize": 750, "denominations": [{"value": 5, "name": ""}]}

        assert values_put(house, values).status_code == 200
        at = row(house)
        assert (at.large_prize, at.cash_threshold) == (750, 1_000_000)
        assert at.denominations == [{"value": 5, "name": ""}]

    @pytest.mark.rows(postgresql=1)
    @pytest.mark.parametrize("where", ["limits of tables", "rules and fees", "prizes"])
    def test_they_stay_while_there_are_amounts_elsewhere(self, house: House, where: str) -> None:
        match where:
            case "limits of tables":
                house.establishment.tables.filter(name="Table 1").update(stake_min=5)
            case "rules and fees":
                now = timezone.now()
                publish(
                    establishment=house.establishment, game="stone-hand", by=house.manager,
                    effective_from=now, now=now, fee={"kind": "seat", "amount": 5},
                )  # fmt: skip
            case _:
                PrizeRule.objects.create(
                    establishment=house.establishment, kind="points", at=9, prize="Cup", amount=50
                )

        answer = send(house, "", house_form(house, currency_code="EUR"))

        assert answer.status_code == 422
        assert f"amounts in this coin: {where}." in answer.content.decode()
        assert coin(house)[3] == 0
        assert values_put(house, {"coin_digits": 2}).status_code == 422
        assert send(house, "", house_form(house, currency="oar")).status_code == 302
