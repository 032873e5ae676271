"""The box that finds everything: what it finds, for whom, what may be done now, at what cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.urls import resolve, reverse

from casino.config.sections import SECTIONS
from casino.floor.players import player_names
from casino.house.attendants.models import Role
from casino.house.attendants.permissions import ALLOWED
from casino.kit.web import navigation
from casino.money.payouts import queries as payouts
from casino.office.dashboard import palette
from casino.office.dashboard.palette import ALWAYS
from ledger.models import Event
from ledger.tiles import WIDTH, Tiles
from tests.kit.web.test_office_pages import played, signed_in
from tests.proof.search.test_search_rounds import read, rounds_of
from tests.support import access, builders
from tests.support.access import STAFF
from tests.support.cashing import act
from tests.support.playing import opened, token
from tests.support.proven import happened

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django import DjangoAssertNumQueries

    from tests.support.builders import House

pytestmark = pytest.mark.django_db
QUERIES = 22
"""Of an answer to words: session, person, roles and house included."""


@pytest.fixture
def house() -> House:
    return builders.house(tables=2)


def found(house: House, text: str, role: Role = Role.MANAGER) -> dict[str, list[str]]:
    """The titles that somebody of that role is shown, by kind."""
    return {kind: [each["title"] for each in some] for kind, some in lines(house, text, role)}


def lines(
    house: House, text: str, role: Role = Role.MANAGER
) -> list[tuple[str, list[dict[str, Any]]]]:
    answer = asked(signed_in(house.people[role]), text)
    return [(group["kind"], group["found"]) for group in answer["groups"]]


def asked(client: Client, text: str) -> dict[str, Any]:
    answer = client.get(reverse("find"), {"q": text, "as": "json"})
    assert answer.status_code == 200
    made: dict[str, Any] = answer.json()
    return made


class TestWhatIsFound:
    def test_a_player_by_the_first_letters_of_the_name(self, house: House) -> None:
        game = opened(house, players=["Wilhelmina", "Bo"], stake=5)

        assert found(house, "wilh")["player"] == ["Wilhelmina"]
        assert found(house, token(house, game, "Bo"))["player"] == ["Bo"]
        assert "player" not in found(house, "w")
        assert "player" not in found(house, "helmina")

    def test_a_name_that_was_erased_is_not_found(self, house: House) -> None:
        game = opened(house, players=["Wilhelmina", "Bo"], stake=5)
        builders.put(house, str(game), builders.command("close"))
        who = token(house, game, "Wilhelmina")
        player_names.erase_name(act(house, house.manager), player=who, reason="Asked for it.")

        assert "player" not in found(house, "wilh")
        assert found(house, who)["player"] == [who]

    @pytest.mark.long("postgresql")
    @pytest.mark.parametrize("role", list(Role))
    def test_a_player_leads_where_the_role_may_go(self, house: House, role: Role) -> None:
        opened(house, players=["Wilhelmina", "Bo"], stake=5)
        ((_kind, (line,)),) = [each for each in lines(house, "wilh", role) if each[0] == "player"]

        assert line["url"].startswith("/players/p-") == (role != Role.ATTENDANT)
        assert signed_in(house.people[role]).get(line["url"]).status_code == 200

    @pytest.mark.long("postgresql")
    def test_a_position_a_receipt_its_address_an_id_and_a_hash(self, house: House) -> None:
        game = opened(house, stake=200)
        rounds_of(house, game, 2)
        read(house)
        event = Event.objects.get(establishment=house.id, stream=f"game/{game}", stream_version=2)
        leaf = bytes(event.leaf_hash).hex()
        code = f"https://house.example/ledger/{house.id}/{event.position}/{leaf}/"

        for text in (f"#{event.position}", str(event.event_id), leaf, leaf.upper(), code):
            assert "Round 1 at Table 1" in found(house, text)["number"], text
        assert f"Event #{event.position}" in found(house, leaf)["number"]

    def test_a_payout_by_what_its_receipt_says(self, house: House) -> None:
        played(house, 1)
        row = payouts.payouts_of(house.id)[0]
        printed = f"{row.game}/{row.cause}.{row.seq}"

        for text in (printed, f"https://house.example/receipts/{printed}/"):
            assert found(house, text)["number"][1] == "Its receipt"
        assert found(builders.house(), printed) == {}

    def test_of_another_house_nothing_is_found(self, house: House) -> None:
        game = opened(house, players=["Wilhelmina", "Bo"], stake=200)
        event = Event.objects.get(establishment=house.id, stream=f"game/{game}", stream_version=1)
        leaf, other = bytes(event.leaf_hash).hex(), builders.house()
        opened(other, players=["Ada", "Bruno"], stake=200)

        for text in (str(game), str(event.event_id), leaf, "wilh",
                     f"/ledger/{house.id}/0/{leaf}/"):  # fmt: skip
            assert found(other, text) == {}, text

    def test_an_attendant_is_not_led_into_the_ledger(self, house: House) -> None:
        game = opened(house, stake=200)
        rounds_of(house, game, 1)
        read(house)
        event = Event.objects.get(establishment=house.id, stream=f"game/{game}", stream_version=2)

        titles = found(house, f"#{event.position}", Role.ATTENDANT)["number"]
        assert titles
        assert not [each for each in titles if each.startswith("Event")]

    @pytest.mark.long("postgresql")
    def test_tables_games_people_reports_settings_and_pages(self, house: House) -> None:
        opened(house, stake=5)
        read(house)

        assert found(house, "table 2")["table"] == ["Table 2"]
        assert "Stone Hand at Table 1" in found(house, "stone")["game"]
        assert found(house, house.auditor.username[:4])["person"]
        assert "Voids and overrides" in found(house, "voids")["report"]
        assert "Rules and fees" in found(house, "fees")["setting"]
        assert "Fee boxes" in found(house, "fee")["page"]

    def test_capitals_and_accents_make_no_difference(self, house: House) -> None:
        builders.table(house.establishment, name="Café Émile")

        assert found(house, "CAFE emi")["table"] == ["Café Émile"]

    @pytest.mark.rows(4)
    @pytest.mark.long("postgresql")
    @pytest.mark.parametrize("text", ["", " ", "%", "<b>", "a" * 999, "'\"", "1" * 40])
    def test_whatever_is_typed_is_answered(self, house: House, text: str) -> None:
        client = signed_in(house.manager)
        for form in ("", "fragment", "json"):
            assert client.get(reverse("find"), {"q": text, "as": form}).status_code == 200


@pytest.mark.long("postgresql")
class TestWhatMayBeDone:
    def test_only_what_the_role_may_do(self, house: House) -> None:
        opened(house, stake=5)

        by_role = {role: found(house, "close", role).get("do", []) for role in Role}
        closing = {role for role, acts in by_role.items() if any("gaming day" in a for a in acts)}
        assert closing == {Role.MANAGER}
        assert "Exclude a player" in found(house, "exclude", Role.SUPERVISOR)["do"]
        assert "do" not in found(house, "exclude", Role.ATTENDANT)
        assert "do" not in found(house, "open a game", Role.AUDITOR)

    def test_only_what_is_possible_now(self, house: House) -> None:
        assert "do" not in found(house, "close the gaming")
        opened(house, table=house.tables[0], stake=5)

        assert found(house, "open a game", Role.ATTENDANT)["do"] == ["Open a game at Table 2"]
        assert found(house, "go on", Role.ATTENDANT)["do"] == ["Go on with the game at Table 1"]

    def test_a_table_whose_float_is_not_counted_is_counted_first(self) -> None:
        house = builders.house(tables=1, counts_floats=True)

        (act,) = found(house, "table 1", Role.ATTENDANT)["do"]
        assert act == "Count the float of Table 1 and open the table"

    @pytest.mark.parametrize("role", list(Role))
    def test_nothing_is_offered_that_turns_the_person_away(self, house: House, role: Role) -> None:
        """By the table of who may open what, which test_access_matrix.py holds to the house."""
        opened(house, stake=5)
        entries = list(navigation.entries(house.establishment, role))
        offered = [
            *palette.pages(entries, role), *palette.settings(role),
            *palette.reports(role),
        ]  # fmt: skip
        urls = {each.url for each in offered}
        urls |= {reverse(name) for name, *_words, may in ALWAYS if role in ALLOWED[may]}
        urls |= {each["url"] for _kind, some in lines(house, "table", role) for each in some}

        routes = {url: resolve(url.partition("?")[0]).route for url in urls}
        known = {url: route for url, route in routes.items() if route in access.DECISIONS}
        assert set(routes) - set(known) <= {"/admin/", "/api/docs/"}
        for url, route in known.items():
            assert role in (access.DECISIONS[route].get or STAFF), url


class TestTheAnswer:
    def test_it_is_a_page_without_scripts_and_options_with_them(self, house: House) -> None:
        client = signed_in(house.manager)
        page = client.get(reverse("find"), {"q": "pots"}).text
        fragment = client.get(reverse("find"), {"q": "pots", "as": "fragment"}).text

        assert 'href="/pots/"' in page
        assert 'role="option"' not in page
        assert 'role="option"' in fragment
        assert "<html" not in fragment

    @pytest.mark.parametrize("tables", [1, 30])
    def test_costs_the_same_however_much_the_house_has(
        self, tables: int, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        house = builders.house(tables=tables, counts_floats=True)
        client = signed_in(house.manager)
        asked(client, "table")

        with django_assert_num_queries(QUERIES):
            asked(client, "table")

    @pytest.mark.long("postgresql")
    def test_a_hash_is_found_in_a_full_tile_as_after_it(self, house: House) -> None:
        happened(house, WIDTH + 3)
        tiles, events = Tiles(house.id), Event.objects.filter(establishment=house.id)
        tiles.grow(1)

        assert tiles.full() == 1
        for event in events.filter(position__in=(0, 1, WIDTH - 1, WIDTH, WIDTH + 2)):
            assert tiles.position_of(bytes(event.leaf_hash)) == event.position
        assert tiles.position_of(bytes(32)) is None


@pytest.mark.long("postgresql")
class TestTheNavigation:
    def test_there_are_ten_main_entries_at_most(self) -> None:
        assert len(SECTIONS) <= navigation.GROUPS_MOST
        names = [each.name for group in SECTIONS for each in group.sections]
        assert len(names) == len(set(names))

    @pytest.mark.parametrize("role", list(Role))
    def test_every_section_is_the_current_one_on_its_page(self, house: House, role: Role) -> None:
        found = list(navigation.entries(house.establishment, role))
        for each in found:
            (here,) = [
                main for main in navigation.main_entries(found, each.name, each.url) if main.open
            ]
            assert here.current == each
            assert here.entries == [other for other in found if other.group is each.group] or (
                not here.entries
            )

    def test_only_the_open_group_shows_its_sections(self, house: House) -> None:
        page = signed_in(house.manager).get("/cash/").text

        assert '<a href="/payouts/" aria-current="true">' in page
        assert 'href="/accounts/"' in page
        assert 'href="/what-if/"' not in page

    def test_a_page_beyond_the_first_marks_the_section_it_belongs_to(self, house: House) -> None:
        opened(house, stake=5)
        table = house.table.pk
        page = signed_in(house.manager).get(f"/cash/tables/{table}/").text
        assert '<a href="/cash/" aria-current="page">' in page
        page = signed_in(house.manager).get(f"/tables/{table}/at/").text
        assert '<a href="/floor/" aria-current="page">' in page

    def test_the_only_section_of_a_group_has_its_own_name(self, house: House) -> None:
        page = signed_in(house.attendant).get("/me/").text
        assert '<a href="/me/" aria-current="page">My sign-in' in page
        assert ">Settings<" not in page
