"""The ledger's events as a list: its pages, its file, who sees it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse

from casino.platform import house_subscriber
from casino.search import events
from ledger import journal, subscriptions
from tests.support import builders
from tests.support.playing import opened, round_played, settled

if TYPE_CHECKING:
    import uuid

    from tests.support.builders import House

pytestmark = pytest.mark.django_db
LIST_QUERIES, PAGE_QUERIES = 17, 45  # with the order of the list that somebody chose


@pytest.fixture
def house() -> House:
    return builders.house()


@pytest.fixture
def game(house: House) -> uuid.UUID:
    game = opened(house)
    round_played(house, game)
    read(house)
    return game


def read(house: House) -> None:
    settled(house)
    while subscriptions.advance(house_subscriber.HOUSE, establishment=house.id).lag:
        pass


def whole(house: House) -> list[Any]:
    return journal.read(establishment=house.id, limit=10_000)


class TestTheList:
    def items(self, house: House, address: str) -> Any:
        page = builders.signed_in(house.auditor).get(address)
        assert page.status_code == 200
        return page.context["table"]

    @pytest.mark.long("postgresql")
    @pytest.mark.usefixtures("game")
    def test_its_pages_follow_one_another_to_the_first_event(
        self, house: House, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("casino.web.listings.pages.LINES", 3)
        monkeypatch.setattr(events, "WINDOW", 2)
        device = whole(house)[-1].provenance.device
        for query in ("", "?kind=game", f"?kind=rollover&device={device}"):
            address, got = f"{reverse('ledger-events')}{query}", []
            while True:
                table = self.items(house, address)
                got += [item["event"].position for item in table.items]
                if not table.next_url:
                    break
                address = f"{reverse('ledger-events')}{table.next_url}"
            known = [each for each in whole(house) if not query or each.stream[:5] == "game/"]
            wanted = [] if "device" in query else [each.position for each in known][::-1]
            assert got == wanted

    @pytest.mark.long("postgresql")
    @pytest.mark.usefixtures("game")
    def test_its_file_has_the_same_lines(self, house: House) -> None:
        address = f"{reverse('ledger-events')}?kind=game"
        listed = [item["event"].position for item in self.items(house, address).items]
        answer = builders.signed_in(house.auditor).get(f"{address}&format=json")
        [table] = json.loads(b"".join(answer) if answer.streaming else answer.content)["tables"]
        assert [row["position"] for row in table["rows"]] == listed
        assert listed

    @pytest.mark.long("postgresql")
    @pytest.mark.usefixtures("game")
    def test_a_file_that_would_look_at_too_much_is_refused(
        self, house: House, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(events, "WINDOW", 1)
        monkeypatch.setattr("casino.web.listings.keyset.FURTHER_MOST", 2)
        day = whole(house)[-1].provenance.gaming_day
        address = f"{reverse('ledger-events')}?kind=rollover&day={day}&format=csv"
        answer = builders.signed_in(house.auditor).get(address)
        assert answer.status_code == 422
        assert "narrow it down" in answer.content.decode()

    @pytest.mark.usefixtures("game")
    def test_another_house_sees_none_of_it(self) -> None:
        stranger = builders.house(name="Elsewhere")
        listed = self.items(stranger, reverse("ledger-events")).items
        assert {item["event"].establishment for item in listed} <= {stranger.id}

    @pytest.mark.long("postgresql")
    @pytest.mark.usefixtures("game")
    def test_who_is_told_no_event_gets_none(self, house: House) -> None:
        client = builders.signed_in(house.attendant)
        assert client.get(f"{reverse('ledger-events')}?format=csv").status_code == 403
