"""What somebody new is offered: where they are, the dice they have, and what can be played now."""

from __future__ import annotations

import uuid
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from casino.house.establishments.models import Establishment, HouseRules
from casino.office.onboarding import readiness
from ledger import journal
from tests.office.onboarding.test_setup_pages import founded, house, link, send, text
from tests.support import builders

pytestmark = pytest.mark.django_db
EUROS = {"house-currency_code": "EUR", "house-currency": "", "house-currency_symbol": ""}


@pytest.fixture
def manager() -> Client:
    client = Client()
    assert founded(client).status_code == 302
    return client


def opened(client: Client, game: str, **more: Any) -> Any:
    """What "Open the game" answers at the first table."""
    table = readiness.ready(house(), timezone.now()).table
    assert table is not None
    sent = {"command_id": str(uuid.uuid4()), "game": game, "player": ["Ada", "Bo"], **more}
    return client.post(reverse("floor-open", args=[table.pk]), sent)


@pytest.mark.long("postgresql")
class TestWhereOneIs:
    @pytest.mark.parametrize(
        ("asked", "language", "locale"),
        [
            ("it-CH,it;q=0.9,en;q=0.1", "it", "it-IT"),
            ("en-US,en;q=0.9", "en", "en-US"),
            ("de-AT", "en", "de-DE"),  # figures as there; the pages do not speak it
            ("pl", "en", "en-GB"),
        ],
    )
    def test_language_and_locale_are_the_browser_s(
        self, asked: str, language: str, locale: str
    ) -> None:
        page = text(Client().get(link(), headers={"Accept-Language": asked}))

        assert f'<option value="{language}" selected>' in page
        assert f'<option value="{locale}" selected>' in page

    def test_what_was_sent_once_stays(self) -> None:
        answer = founded(Client(), **{"house-name": "", "house-time_zone": "Asia/Tokyo"})

        assert answer.status_code == 422
        assert '<option value="Asia/Tokyo" selected>' in text(answer)
        assert "data-currencies" not in text(answer)


@pytest.mark.long("postgresql")
class TestMoney:
    def test_amounts_of_a_new_house_are_so_many_of_its_coin(self) -> None:
        assert founded(Client(), **EUROS).status_code == 302

        made = house()
        assert (made.currency_code, made.currency, made.currency_symbol) == ("EUR", "Euro", "€")
        assert (made.coin_digits, made.large_prize, made.cash_threshold) == (2, 50_000, 1_000_000)
        assert [each["value"] for each in made.denominations] == [100, 500, 2500, 10_000, 50_000]

    def test_they_follow_where_it_is_corrected_on_the_way(self, manager: Client) -> None:
        sent = {
            "name": "The Blue Heron", "currency_code": "KWD", "time_zone": "Asia/Kuwait",
            "locale": "en-GB", "day_cutoff": "06:00",
        }  # fmt: skip
        assert send(manager, "house", sent).status_code == 302

        assert (house().coin_digits, house().large_prize) == (3, 500_000)
        assert send(manager, "house", {**sent, "currency_code": "JPY"}).status_code == 302
        assert (house().coin_digits, house().large_prize) == (0, 500)
        Establishment.objects.filter(pk=house().pk).update(coin_digits=2, large_prize=550)
        answer = send(manager, "house", sent | {"currency_code": "ISK"})
        assert "they would be other amounts" in text(answer)

    def test_usual_amounts_of_games_are_so_many_of_its_coin(self) -> None:
        client = Client()
        founded(client, **EUROS)
        send(client, "tables", {"names": "Table 1"})
        send(client, "dice", {"threes": "1"})
        send(client, "games", {"games": ["threes-away"]})

        assert HouseRules.objects.get(game="threes-away").options == {"unit": 100}
        table = house().tables.get()
        page = text(client.get(reverse("floor-open", args=[table.pk])))
        assert 'name="stake" value="25.00"' in page
        assert 'name="option-ante-amount" value="1"' in page
        assert "A point is worth €1.00." in page
        Establishment.objects.update(counts_floats=False)
        answer = opened(client, "threes-away", stake="25", **{"option-ante-amount": "2"})
        assert answer.status_code == 302
        brought = next(
            event for event in journal.read(establishment=house().pk, limit=99)
            if event.event_type == "threes_away.game_opened"
        )  # fmt: skip
        assert [each["stake"] for each in brought.data["players"]] == [2500, 2500]
        options = brought.data["options"]
        assert (options["ante"], options["unit"]) == (2, 100)

    def test_the_set_up_asks_what_a_point_is_worth(self) -> None:
        """G11: the smallest piece is proposed, with what a pair 5 then costs."""
        client = Client()
        founded(client, **EUROS)
        send(client, "tables", {"names": "Table 1"})
        send(client, "dice", {"stone": "1"})

        page = text(client.get("/set-up/games/"))
        assert 'name="point" value="1.00"' in page
        assert "a pair 5 costs €5.00" in page
        refused = send(client, "games", {"games": ["stone-hand"], "point": "0.50"})
        assert "No pieces of this house make €0.50: the smallest is €1.00. G11" in text(refused)
        send(client, "games", {"games": ["stone-hand"], "point": "2"})
        assert HouseRules.objects.get(game="stone-hand").options == {"unit": 200}

    def test_the_console_takes_a_code(self) -> None:
        call_command(
            "setup", "--house=Nine", "--manager=Vera", "--currency-code=EUR", stdout=StringIO()
        )

        made = Establishment.objects.get(name="Nine")
        assert (made.currency, made.coin_digits, made.large_prize) == ("Euro", 2, 50_000)


@pytest.mark.long("postgresql")
class TestDice:
    def test_games_are_offered_whose_dice_are_there(self, manager: Client) -> None:
        send(manager, "tables", {"names": "Table 1"})
        send(manager, "dice", {"stone": "1"})

        page = text(manager.get("/set-up/games/"))

        assert 'value="stone-hand"' in page
        assert 'value="threes-away"' not in page
        assert "Threes Away needs a box of 5 dice of 6 sides." in page
        assert "River needs a box of one die of each size" in page

    def test_a_bigger_box_does(self, manager: Client) -> None:
        send(manager, "dice", {"breaker": "1"})

        assert {each.id for each in readiness.playable(house(), ["threes-away", "river"])
                if each.there} == {"threes-away"}  # fmt: skip

    def test_without_any_it_says_what_for(self, manager: Client) -> None:
        page = text(manager.get("/set-up/games/"))

        assert page.count("needs a box of") == 5
        assert "Say which dice the house has" in page


@pytest.mark.long("postgresql")
class TestTheLastPage:
    def set_up(self, client: Client, dice: dict[str, str], games: list[str]) -> str:
        send(client, "tables", {"names": "Table 1"})
        send(client, "dice", dice)
        send(client, "games", {"games": games})
        return text(client.get("/set-up/done/"))

    def test_nothing_is_ready_in_a_house_with_nothing(self, manager: Client) -> None:
        page = text(manager.get("/set-up/done/"))

        assert "No game can be opened yet" in page
        assert "A game needs a table." in page
        assert "A game needs published rules." in page

    def test_a_game_whose_dice_are_gone_is_named(self, manager: Client) -> None:
        self.set_up(manager, {"threes": "1"}, ["threes-away"])
        house().dice_sets.update(state="withdrawn", withdrawn=True)

        page = text(manager.get("/set-up/done/"))

        assert "No game can be opened yet" in page
        assert "There are no dice for any of its games." in page
        assert "Threes Away needs a box of 5 dice of 6 sides." in page
        assert "needs it" not in text(opened(manager, "threes-away", stake="25"))

    def test_where_no_float_is_counted_games_without_money_open(self, manager: Client) -> None:
        sent = {"name": "The Blue Heron", "currency": "crown", "currency_symbol": "kr",
                "coin_digits": "0", "time_zone": "UTC", "locale": "en-GB", "day_cutoff": "06:00",
                "counts_floats": "on"}  # fmt: skip
        send(manager, "house", sent)
        page = self.set_up(manager, {"stone": "1", "threes": "1"}, ["stone-hand", "threes-away"])

        assert "A game can be opened, without money" in page
        assert "At Table 1: Stone Hand." in " ".join(page.split()).replace("</b> <span>", " ")
        assert "Table 1 has no counted float: open a shift first." in page
        assert "you are alone here" in page
        assert opened(manager, "threes-away", stake="25").status_code == 422
        free = opened(manager, "stone-hand", stake="0", **{"option-mode": "drinks"})
        assert free.status_code == 302

    @pytest.mark.parametrize(
        ("dice", "game"),
        [({"stone": "1"}, "stone-hand"), ({"stone": "1"}, "cinnabar-gate"),
         ({"river": "1"}, "river"), ({"threes": "1"}, "threes-away"),
         ({"breaker": "1"}, "dice-breaker")],
    )  # fmt: skip
    @pytest.mark.rows(2)
    def test_what_it_says_can_be_opened_opens(
        self, manager: Client, dice: dict[str, str], game: str
    ) -> None:
        Establishment.objects.update(counts_floats=False)
        page = self.set_up(manager, dice, [game])

        assert "A game can be opened" in page
        assert [each.id for each in readiness.ready(house(), timezone.now()).opened] == [game]
        answer = send(manager, "done", {})
        form = text(manager.get(answer.headers["Location"]))
        sent = {"stake": "50"} if game != "river" else {"stake": "50", "price": "5"}
        assert game in form
        more = {"option-mode": "pool"} if game == "stone-hand" else {}
        assert opened(manager, game, **sent, **more).status_code == 302

    def test_it_is_the_house_s_first_table_in_order(self, manager: Client) -> None:
        send(manager, "tables", {"names": "Table 10\nTable 2"})

        now = readiness.ready(house(), timezone.now())
        assert now.table is not None
        assert now.table.name == "Table 2"
        assert builders.house().establishment.pk != now.table.establishment_id
