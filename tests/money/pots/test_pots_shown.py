"""The page and the API of pots: each term of every pot, and what rolled over (A1, A3, A6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.urls import reverse

from casino.house.attendants.models import Role
from casino.money.payouts.pot_equation import Equation
from tests.conftest import unguarded
from tests.support import builders
from tests.support.playing import done, opened, round_played, settled
from tests.support.rolling import begun, left_behind
from tests.support.rolling import new_house as rolling_house

if TYPE_CHECKING:
    from django.test import Client

    from tests.support.builders import House

pytestmark = pytest.mark.django_db


@pytest.fixture
def house() -> House:
    return builders.house(tables=2)


# --- The page and the API -------------------------------------------------------------------------


def page(client: Client, house: House, name: str, *args: object, role: Role = Role.MANAGER) -> str:
    client.force_login(house.people[role])
    answer = client.get(reverse(name, args=args))
    assert answer.status_code == 200, answer
    return answer.content.decode()


@pytest.mark.long("postgresql")
class TestThePage:
    def test_an_empty_house_is_told_what_comes(self, client: Client, house: House) -> None:
        html = page(client, house, "pots")

        assert "No pot is open" in html
        assert "Nothing waits" in html

    def test_a1_every_term_of_every_pot_stands_there(self, client: Client, house: House) -> None:
        game = opened(house)
        round_played(house, game)
        settled(house)

        html = page(client, house, "pots")

        assert text(html).count("7 r") >= 4  # put in and balance, of the pot and of all together
        assert "does not add up" not in html
        for link in ("floor-game", "payouts-of-game"):
            assert reverse(link, args=[game]) in html

    def test_a3_pots_and_what_rolled_over_are_players_money(self, client: Client) -> None:
        house = rolling_house()
        left_behind(house)
        settled(house)
        begun(house)
        settled(house)

        html = text(page(client, house, "pots"))

        assert "Threes Away at" in html
        assert "never the house's" in html

    def test_a6_a_waiting_lot_is_listed(self, client: Client) -> None:
        house = rolling_house()
        left_behind(house)
        settled(house)

        html = text(page(client, house, "pots"))

        assert "the next game of Threes Away" in html
        assert "being booked" not in html

    def test_a_lot_on_its_way_says_so(self, client: Client) -> None:
        house = rolling_house()
        left_behind(house)

        assert "being booked" in page(client, house, "pots")

    def test_a1_what_does_not_add_up_is_said(self, client: Client, house: House) -> None:
        """An account that somebody changed by hand, past every trigger."""
        round_played(house, opened(house))
        settled(house)
        with unguarded(connection) as cursor:
            cursor.execute("UPDATE ledger_account SET credits = credits + 1 WHERE kind = 'pot'")

        assert "does not add up" in page(client, house, "pots")

    @pytest.mark.parametrize(
        ("role", "sees"),
        [
            (Role.MANAGER, True),
            (Role.AUDITOR, True),
            (Role.SUPERVISOR, False),
            (Role.ATTENDANT, False),
        ],
    )
    def test_the_statement_is_for_who_may_see_accounts(
        self, client: Client, house: House, role: Role, *, sees: bool
    ) -> None:
        game = opened(house)
        settled(house)
        account = reverse("account", kwargs={"kind": "pot", "name": str(game)})

        assert (account in page(client, house, "pots", role=role)) is sees
        assert (account in page(client, house, "payouts-of-game", game, role=role)) is sees

    def test_a1_a_game_that_is_over_has_its_equation_with_its_payouts(
        self, client: Client, house: House
    ) -> None:
        game = opened(house)
        round_played(house, game)
        done(house, game, "close")
        settled(house)

        html = text(page(client, house, "payouts-of-game", game))

        assert "The pot" in html
        assert "Put in" in html
        assert reverse("payouts-of-game", args=[game]) not in page(client, house, "pots")


def text(html: str) -> str:
    return html.replace("\N{NO-BREAK SPACE}", " ").replace("&#x27;", "'")


class TestTheApi:
    @pytest.mark.long("postgresql")
    def test_a1_every_open_pot_with_its_equation(self, house: House) -> None:
        game = opened(house)
        round_played(house, game)
        settled(house)

        body = house.client(Role.AUDITOR).get(house.url("pots/")).json()

        [pot] = body["pots"]
        assert pot.pop("since")
        assert pot == {
            "game": str(game),
            "ruleset": "stone-hand",
            "table": str(house.table.pk),
            "round": 2,
            "running": True,
            "account": f"pot:{game}",
            "adds_up": True,
            **Equation(contributions=7, balance=7).terms(),
        }
        assert body["whole"] == Equation(contributions=7, balance=7).terms()
        assert (body["in_pots"], body["in_rollovers"], body["of_players"]) == (7, 0, 7)

    @pytest.mark.long("postgresql")
    def test_a6_what_rolled_over_is_with_it(self) -> None:
        house = rolling_house()
        left_behind(house)
        settled(house)

        body = house.client().get(house.url("pots/")).json()

        assert body["pots"] == []
        assert [(each["game"], each["booked"]) for each in body["rollovers"]] == [
            ("threes-away", 2)
        ]
        assert (body["in_rollovers"], body["of_players"]) == (2, 2)

    def test_another_house_s_pots_are_nowhere(self, house: House) -> None:
        assert builders.house().client().get(house.url("pots/")).status_code == 404
