"""A real house from nothing, in minutes: by pages or from the console; left and come back to."""

from __future__ import annotations

import re
import uuid
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth.password_validation import get_default_password_validators
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from casino.house.acts import changes
from casino.house.attendants import passwords
from casino.house.attendants.models import Attendant, Employment, Invitation, Role
from casino.house.establishments.models import Establishment, HouseRules
from casino.house.home_throws.models import HomeThrow
from casino.office.onboarding import links
from casino.office.onboarding import operations as onboarding
from casino.play.dice.models import DiceSet
from casino.settings.configuration.pages import TABS
from casino.settings.staff import invitations
from casino.settings.staff.operations import employ
from ledger import journal
from tests.support import builders

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql")]

PASSWORD = "seven-lamps-by-the-river"
HOUSE = {
    "house-name": "The Blue Heron",
    "house-currency_code": "",
    "house-currency": "crown",
    "house-currency_symbol": "kr",
    "house-coin_digits": "0",
    "house-time_zone": "Europe/Prague",
    "house-language": "",
    "house-locale": "en-GB",
    "house-day_cutoff": "05:00",
}
PERSON = {
    "person-username": "vera",
    "person-first_name": "Vera",
    "person-last_name": "Quill",
    "person-password": PASSWORD,
    "person-again": PASSWORD,
}


def link() -> str:
    return links.address("/")


def founded(client: Client, address: str = "", **sent: str) -> Any:
    return client.post(address or link(), {**HOUSE, **PERSON, **sent})


@pytest.fixture
def manager() -> Client:
    """The first manager of a house that was just founded, signed in."""
    client = Client()
    assert founded(client).status_code == 302
    return client


def house() -> Establishment:
    return Establishment.objects.get(name="The Blue Heron")


def send(client: Client, step: str, sent: dict[str, Any]) -> Any:
    return client.post(f"/set-up/{step}/", {"command_id": str(uuid.uuid4()), **sent})


def employ_somebody(role: Role) -> Employment:
    person = Attendant.objects.create(username=f"{role}-2")
    return employ(establishment=house(), attendant=person, role=role, by=None)


def text(answer: Any) -> str:
    text_of: str = answer.content.decode()
    return text_of


class TestFounding:
    def test_a_link_founds_a_house_with_its_first_manager(self) -> None:
        client = Client()
        address = link()
        assert "Found the house" in text(client.get(address))

        answer = founded(client, address)

        assert answer.headers["Location"] == reverse("set-up-tables")
        assert house().currency_symbol == "kr"
        employment = Employment.objects.get(establishment=house())
        assert (employment.attendant.username, employment.role) == ("vera", Role.MANAGER)
        assert client.get("/set-up/tables/").status_code == 200
        types = [event.event_type for event in journal.read(establishment=house().pk, limit=9)]
        assert {"establishment.created", "employment.created"} <= set(types)

    def test_it_is_spent_with_that(self, manager: Client) -> None:
        del manager
        address = link()
        founded(Client(), address, **{"house-name": "Second", "person-username": "two"})

        again = founded(Client(), address, **{"house-name": "Third", "person-username": "three"})

        assert again.status_code == 422
        assert "founded with this link already" in text(again)
        assert not Attendant.objects.filter(username="three").exists()

    @pytest.mark.parametrize("key", ["", "x", "ImFiYyI:1abcde:forged", "../../etc/passwd"])
    def test_no_other_link_founds_anything(self, key: str) -> None:
        answer = Client().post("/set-up/?key=" + key, {**HOUSE, **PERSON})

        assert answer.status_code == 422
        assert not Establishment.objects.exists()
        assert not Attendant.objects.exists()

    def test_it_runs_out(self, monkeypatch: pytest.MonkeyPatch) -> None:
        address = link()
        monkeypatch.setattr(links, "HOLDS", -1)

        assert founded(Client(), address).status_code == 422

    @pytest.mark.parametrize(
        ("sent", "sentence"),
        [
            ({"house-name": ""}, "required"),
            ({"house-time_zone": "Mars"}, "valid choice"),
            ({"house-day_cutoff": "25:00"}, "“25:00” is not a time"),
            ({"person-again": "other"}, "not the same"),
            ({"person-password": "1234", "person-again": "1234"}, "too short"),
            ({"person-username": "no ra"}, "valid username"),
        ],
    )
    def test_what_is_wrong_is_refused_and_nothing_is_made(
        self, sent: dict[str, str], sentence: str
    ) -> None:
        answer = founded(Client(), **sent)

        assert answer.status_code == 422
        assert sentence in text(answer)
        assert not Establishment.objects.exists()
        assert not Attendant.objects.exists()

    def test_names_that_are_taken_are_refused(self, manager: Client) -> None:
        del manager
        assert "already exists" in text(founded(Client(), **{"person-username": "other"}))
        other = founded(Client(), **{"house-name": "Another"})
        assert "already exists" in text(other)
        assert Establishment.objects.count() == 1

    def test_who_is_signed_in_already_keeps_their_sign_in(self) -> None:
        who = builders.person("nora")
        client = Client()
        client.force_login(who)

        assert client.post(link(), HOUSE).status_code == 302
        assert Employment.objects.get(establishment=house()).attendant == who

    def test_another_house_is_not_touched(self) -> None:
        other = builders.house()
        founded(Client())

        assert journal.head(establishment=other.id) == -1
        assert not Employment.objects.filter(
            establishment=other.establishment, attendant__username="vera"
        ).exists()

    def test_what_a_password_has_to_be_is_one_sentence(self) -> None:
        assert "At least 12 characters, of any kind; no common password" in text(
            Client().get(link())
        )
        held_against = {type(each).__name__: each for each in get_default_password_validators()}
        assert set(held_against) == {
            "UserAttributeSimilarityValidator", "LengthValidator", "CommonPasswordValidator",
        }  # fmt: skip
        assert passwords.LEAST == 12


def test_dice_sets_that_are_there_are_looked_up_at_once(django_assert_num_queries: Any) -> None:
    there = builders.house()
    with django_assert_num_queries(1):
        assert len(onboarding.dice_of(there.establishment, {"river": 99, "breaker": 99})) == 198


class TestSteps:
    def test_a_house_is_set_up_from_nothing_and_a_game_opens(self, manager: Client) -> None:
        assert send(manager, "tables", {"names": "Table 1\nGarden\n"}).status_code == 302
        assert send(manager, "dice", {"stone": "2", "river": "1"}).status_code == 302
        assert send(manager, "games", {"games": ["stone-hand", "river"]}).status_code == 302
        faces = {"first": "6", "second": "1", "third": "3", "story": "The bridge."}
        assert send(manager, "home-throw", faces).status_code == 302
        invited = send(manager, "staff", {"people": "Mira Solano, attendant\nSela, Supervisor"})
        assert invited.status_code == 200
        assert text(invited).count("/invitation/?key=") == 2
        made = house()
        first = reverse("floor-open", args=[made.tables.get(name="Garden").pk])
        assert send(manager, "done", {}).headers["Location"] == first

        made = house()
        assert made.setting_up == ""
        assert list(made.tables.values_list("name", flat=True)) == ["Garden", "Table 1"]
        assert list(
            DiceSet.objects.filter(establishment=made).values_list("number", "sides", "count")
        ) == [("R-01", None, 5), ("S-01", 8, 3), ("S-02", 8, 3)]
        assert HomeThrow.objects.get(establishment=made).faces == (1, 3, 6)
        in_force = HouseRules.objects.filter(establishment=made).order_by("game", "version")
        assert [(each.game, each.version, each.home_throws) for each in in_force] == [
            ("river", 1, "none"), ("stone-hand", 1, "none"), ("stone-hand", 2, "house"),
        ]  # fmt: skip

        key = re.findall(r"/invitation/\?key=([\w-]+)", text(invited))[0]
        newcomer = Client()
        joined = newcomer.post(
            f"/invitation/?key={key}",
            {"username": "mira", "first_name": "Mira", "password": PASSWORD, "again": PASSWORD},
        )
        assert joined.status_code == 302
        Establishment.objects.filter(pk=made.pk).update(counts_floats=False)
        opened = newcomer.post(
            reverse("floor-open", args=[made.tables.get(name="Garden").pk]),
            {"command_id": str(uuid.uuid4()), "game": "stone-hand", "player": ["Ada", "Bo"],
             "stake": "25", "home_throw": "house", "option-mode": "pool"},
        )  # fmt: skip
        assert opened.status_code == 302, text(opened)
        events = journal.read(establishment=made.pk, limit=100)
        opening = next(event for event in events if event.event_type == "stone_hand.game_opened")
        assert (opening.data["homes"], opening.data["house_rules"]["version"]) == ([[1, 3, 6]], 2)

    @pytest.mark.usefixtures("manager")
    def test_c1_once_it_is_set_up_two_people_change_it(self) -> None:
        assert not changes.wants_two(house())
        onboarding.finish(house())
        assert changes.wants_two(house())

    def test_c1_the_first_one_who_could_approve_ends_that_it_takes_one(
        self, manager: Client
    ) -> None:
        """Until then one person changes everything at once, and each page says which is so."""
        pages = [reverse(name) for name, _title in TABS]
        steps = [reverse(f"set-up-{step}") for step in onboarding.STEPS]
        two, alone = "a second person approves each change here", "changes at once"
        assert all(alone in text(manager.get(each)) for each in pages)
        employ_somebody(Role.SUPERVISOR)
        assert not changes.wants_two(house())

        second = employ_somebody(Role.MANAGER)

        assert changes.wants_two(house())
        said = [text(manager.get(each)) for each in (*pages, *steps)]
        assert all(two in each and alone not in each for each in said)
        assert "Make the links" not in text(manager.get(reverse("set-up-staff")))
        send(manager, "tables", {"names": "Garden"})
        assert not house().tables.exists()  # it waits for the other one
        second.until = timezone.now()
        changes.change(second, establishment=house(), by=None)
        assert changes.wants_two(house())  # who was added and left again does not bring it back

    def test_it_is_left_and_gone_on_with(self, manager: Client) -> None:
        send(manager, "tables", {"names": "Table 1"})
        manager.logout()
        manager.force_login(Attendant.objects.get(username="vera"))

        assert "Go on with it" in text(manager.get("/"))
        assert manager.get("/set-up/go-on/").headers["Location"] == reverse("set-up-dice")
        back = text(manager.get("/set-up/tables/"))
        assert "There already" in back
        send(manager, "tables", {"names": "Table 1\nTable 2"})
        assert house().setting_up == "dice"
        assert house().tables.count() == 2

    def test_one_tick_hangs_up_all_boards(self, manager: Client) -> None:
        send(manager, "tables", {"names": "A"})
        send(manager, "tables", {"names": "A\nB", "wall": "on"})

        assert (house().wall, house().guests, house().wall_names) == (True, True, False)
        assert house().tables.filter(wall=True).count() == 2
        assert house().wall_key in text(manager.get("/set-up/done/"))

    def test_a_second_tap_makes_nothing_twice(self, manager: Client) -> None:
        once = str(uuid.uuid4())
        for _ in range(2):
            assert send(manager, "tables", {"names": "A\nB", "command_id": once}).status_code == 302
            assert send(manager, "dice", {"stone": "2"}).status_code == 302

        assert house().tables.count() == 2
        assert DiceSet.objects.filter(establishment=house()).count() == 2

    @pytest.mark.parametrize(
        ("step", "sent", "sentence"),
        [
            ("tables", {"names": ""}, "one table or more"),
            ("tables", {"names": "Garden\r\n\r\n" + "x" * 41}, "Line 3: a name has at most 40"),
            ("tables", {"names": "\n".join(map(str, range(10_000)))}, "At most 60"),
            ("tables", {"names": "\n".join(map(str, range(61)))}, "At most 60"),
            ("dice", {"stone": "-1"}, "greater than or equal to 0"),
            ("games", {}, "one game or more"),
            ("games", {"games": ["ludo"]}, "valid choice"),
            ("home-throw", {"first": "2", "second": "2", "third": "5"}, "another scoring throw"),
            ("home-throw", {"first": "1"}, "required"),
            ("staff", {"people": "Mira"}, "Line 1"),
            ("staff", {"people": "Mira, king"}, "Line 1"),
            ("staff", {"people": ", attendant"}, "Line 1"),
            ("staff", {"people": f"Mira, auditor\r\n{'x' * 81}, auditor"}, "Line 2: a name has"),
            ("staff", {"people": "Mira, auditor\n" * 61}, "At most 60"),
            ("house", {"name": ""}, "required"),
        ],
    )
    def test_what_is_wrong_is_refused_at_its_field(
        self, manager: Client, step: str, sent: dict[str, Any], sentence: str
    ) -> None:
        send(manager, "dice", {"stone": "1"})
        head, at = journal.head(establishment=house().pk), house().setting_up

        assert sentence in text(send(manager, step, sent))
        assert journal.head(establishment=house().pk) == head
        assert house().setting_up == at

    def test_d1_everybody_is_invited_or_nobody(self, manager: Client) -> None:
        sent = {"people": "Mira, attendant\nSela, auditor", "command_id": str(uuid.uuid4())}
        invitations.invite(
            house=house(),
            name="Sela",
            role=Role.AUDITOR,
            by=None,
            now=timezone.now(),
            key=uuid.uuid5(uuid.UUID(sent["command_id"]), "1"),
        )

        answer = text(send(manager, "staff", sent))

        assert "its link was shown then" in answer
        assert "/invitation/?key=" not in answer
        assert Invitation.objects.count() == 1

    def test_the_house_is_corrected_on_the_way(self, manager: Client) -> None:
        sent = {name.removeprefix("house-"): value for name, value in HOUSE.items()}
        send(manager, "house", {**sent, "name": "The Blue Heron", "currency": "koruna"})

        assert house().currency == "koruna"

    @pytest.mark.parametrize("role", [Role.ATTENDANT, Role.SUPERVISOR, Role.AUDITOR])
    def test_d1_only_a_manager_sets_up(self, role: Role) -> None:
        there = builders.house()
        client = Client()
        client.force_login(there.people[role])

        assert client.get("/set-up/tables/").status_code == 403
        assert send(client, "tables", {"names": "Mine"}).status_code == 403


class TestConsole:
    def run(self, *arguments: str) -> str:
        out = StringIO()
        call_command("setup", *arguments, stdout=out)
        return out.getvalue()

    def test_it_prints_a_link_that_founds_a_house(self) -> None:
        output = self.run("--address=https://house.example")

        address = output.splitlines()[1]
        assert address.startswith("https://house.example/set-up/?key=")
        path = address.removeprefix("https://house.example")
        assert founded(Client(), path).status_code == 302

    def test_it_founds_a_house_and_prints_the_managers_link(self) -> None:
        output = self.run("--house=Nine Stones", "--manager=Vera Quill", "--time-zone=Europe/Rome")

        key = output.splitlines()[1].partition("?key=")[2]
        made = Establishment.objects.get(name="Nine Stones")
        assert (made.time_zone, made.setting_up) == ("Europe/Rome", "tables")
        client = Client()
        client.post(
            f"/invitation/?key={key}",
            {"username": "vera", "first_name": "Vera", "password": PASSWORD, "again": PASSWORD},
        )
        assert Employment.objects.get(establishment=made).role == Role.MANAGER
        assert client.get("/set-up/go-on/").headers["Location"] == reverse("set-up-tables")

    @pytest.mark.parametrize(
        ("arguments", "sentence"),
        [
            (["--house=Nine Stones"], "Name both"),
            (["--house=Nine Stones", "--manager=V", "--time-zone=Mars"], "not a time zone"),
            (["--house=Nine Stones", "--manager=V", "--cut-off=noon"], "HH:MM"),
            (["--house=Nine Stones", "--manager=V", "--coin-digits=9"], "less than or equal"),
        ],
    )
    def test_what_is_wrong_is_refused(self, arguments: list[str], sentence: str) -> None:
        with pytest.raises(CommandError, match=sentence):
            self.run(*arguments)
        assert not Establishment.objects.exists()
