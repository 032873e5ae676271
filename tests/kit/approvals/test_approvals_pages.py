"""The queue of the office: what waits, for whom, and the answer given in place (C1, D1, D1b)."""

from __future__ import annotations

import csv
import re
import uuid
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from django.urls import reverse

from casino.house.attendants.models import Role
from casino.kit.approvals import kinds, queries
from casino.kit.approvals.models import RequestRow
from tests.support import approving, builders
from tests.support.approving import asked, decided, drops
from tests.support.playing import LATER, done, opened, round_played, settled, state, token

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django import DjangoAssertNumQueries

    from casino.house.attendants.models import Attendant
    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql")]
HISTORY = 14  # queries, of the frame around the page too


@pytest.fixture
def house() -> House:
    return builders.house()


@pytest.fixture(autouse=True)
def _drop() -> Iterator[None]:
    with approving.registered(
        tells=kinds.each(lambda request: f"{request.amount} go to the bank.")
    ):
        yield


def signed_in(person: Attendant) -> Client:
    client = Client()
    client.force_login(person)
    return client


def answered(
    person: Attendant, request: uuid.UUID, do: str, *, reason: str = "", follow: bool = True
) -> Any:
    """The answer, with what the card shows as seen."""
    browser, address = signed_in(person), reverse("approval", args=[request])
    shown = re.search(r'name="through" value="(\d+)"', browser.get(address).text)
    seen = {"through": shown[1]} if shown else {}
    posted = {"command_id": str(uuid.uuid4()), "do": do, "reason": reason, **seen}
    return browser.post(address, posted, follow=follow)


def queue(person: Attendant) -> str:
    return signed_in(person).get(reverse("approvals")).text


def test_a_card_says_who_why_how_much_how_long_and_what_happens(house: House) -> None:
    asked(house)

    html = queue(house.supervisor)

    for text in ("Drop", "The box is full.", str(house.attendant), "30", "waits", "go to the bank"):
        assert text in html


def test_an_empty_queue_says_what_comes_here(house: House) -> None:
    assert "Nothing waits." in queue(house.supervisor)


@pytest.mark.parametrize(
    ("role", "buttons"),
    [
        (Role.SUPERVISOR, {"approve", "reject"}),
        (Role.MANAGER, {"approve", "reject"}),
        (Role.ATTENDANT, {"withdraw"}),  # who asked
        (Role.AUDITOR, set()),
    ],
)
def test_d1_each_role_is_offered_what_it_may_do(
    house: House, role: Role, buttons: set[str]
) -> None:
    asked(house)
    html = queue(house.people[role])
    offered = {do for do in ("approve", "reject", "withdraw", "alone") if f'value="{do}"' in html}
    assert offered == buttons


def test_c1_approved_in_the_queue_it_is_done(house: House) -> None:
    request = asked(house)

    page = answered(house.supervisor, request, "approve")

    assert "Approved, and done." in page.text
    assert len(drops(house)) == 1
    assert queries.waiting(house.id) == 0


def test_c1_to_reject_takes_a_reason_and_what_was_typed_stays(house: House) -> None:
    request = asked(house)

    page = answered(house.supervisor, request, "reject", reason=" ")
    assert page.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "Give a reason" in page.text
    answered(house.supervisor, request, "reject", reason="Wait for the count.")

    history = signed_in(house.auditor).get(reverse("approvals-history"))
    assert "Wait for the count." in history.text
    assert drops(house) == []


def test_c1_an_own_request_is_refused_however_it_is_sent(house: House) -> None:
    request = asked(house, house.supervisor)
    assert 'value="approve"' not in queue(house.supervisor)

    page = answered(house.supervisor, request, "approve", reason="Me.")

    assert page.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "You asked for this yourself; somebody else approves." in page.text
    assert 'value="Me."' in page.text
    assert drops(house) == []


def test_d1_a_role_that_does_not_approve_is_turned_away(house: House) -> None:
    request = asked(house, house.supervisor)
    for role in (Role.ATTENDANT, Role.AUDITOR):
        page = answered(house.people[role], request, "approve")
        assert page.status_code == HTTPStatus.FORBIDDEN
    assert drops(house) == []


def test_d1_another_house_sees_nothing_of_it(house: House) -> None:
    request, other = asked(house), builders.house()

    assert "Drop" not in queue(other.manager)
    address = reverse("approval", args=[request])
    assert signed_in(other.manager).get(address).status_code == HTTPStatus.NOT_FOUND
    assert answered(other.manager, request, "approve").status_code == HTTPStatus.NOT_FOUND
    assert drops(house) == []


def test_who_asked_takes_it_back(house: House) -> None:
    request = asked(house)
    answered(house.attendant, request, "withdraw")
    assert RequestRow.objects.get(id=request).state == RequestRow.State.WITHDRAWN


def test_a_second_tap_on_the_same_button_is_no_second_approval(house: House) -> None:
    request, client = asked(house), signed_in(house.supervisor)
    posted = {"command_id": str(uuid.uuid4()), "do": "approve", "reason": ""}
    address = reverse("approval", args=[request])

    for _ in range(2):
        assert client.post(address, posted).status_code == HTTPStatus.FOUND

    assert len(drops(house)) == 1


def test_what_is_gone_says_so_and_stays_open(house: House) -> None:
    request = asked(house, subject={"boxes": 0})

    page = answered(house.supervisor, request, "approve")

    assert "The box is gone" in page.text
    assert queries.waiting(house.id) == 1


def test_a_form_that_says_nothing_of_use_is_shown_again(house: House) -> None:
    request = asked(house)
    for posted in ({}, {"do": "approve"}, {"do": "bless", "command_id": str(uuid.uuid4())}):
        client = signed_in(house.supervisor)
        page = client.post(reverse("approval", args=[request]), posted)
        assert page.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert drops(house) == []


class TestVoids:
    """G4: a game's own requests stand in the same queue and are answered by its own commands."""

    @pytest.fixture
    def game(self, house: House) -> uuid.UUID:
        game = opened(house)
        round_played(house, game)
        done(house, game, "void", back_to=2, reason="Misread.")
        settled(house)
        return game

    @pytest.fixture
    def request_id(self, house: House, game: uuid.UUID) -> uuid.UUID:
        return RequestRow.objects.get(establishment=house.id, game=game).id

    @pytest.mark.usefixtures("game")
    def test_it_waits_among_the_others(self, house: House) -> None:
        html = queue(house.supervisor)
        for text in ("Void", "Misread.", "back to before event 2", str(house.attendant)):
            assert text in html

    def test_approved_it_is_void(
        self, house: House, game: uuid.UUID, request_id: uuid.UUID
    ) -> None:
        answered(house.supervisor, request_id, "approve")

        current = state(house, game)
        assert (current["round"], current["requests"]) == (1, [])
        row = RequestRow.objects.get(id=request_id)
        assert (row.state, row.decided_by) == ("approved", str(house.supervisor.pk))
        assert "Nothing waits." in queue(house.supervisor)

    def test_rejected_it_stands(self, house: House, game: uuid.UUID, request_id: uuid.UUID) -> None:
        answered(house.supervisor, request_id, "reject", reason="It was right.")

        assert state(house, game)["round"] == 2
        row = RequestRow.objects.get(id=request_id)
        assert (row.state, row.decided_by) == ("rejected", str(house.supervisor.pk))
        assert "It was right." in signed_in(house.auditor).get(reverse("approvals-history")).text

    def test_who_asked_takes_it_back(self, house: House, request_id: uuid.UUID) -> None:
        answered(house.attendant, request_id, "withdraw")
        assert RequestRow.objects.get(id=request_id).state == RequestRow.State.WITHDRAWN

    def test_nobody_else_takes_it_back(self, house: House, request_id: uuid.UUID) -> None:
        page = answered(house.manager, request_id, "withdraw")
        assert page.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
        assert queries.waiting(house.id) == 1

    def test_d1b_who_plays_in_the_game_does_not_decide(
        self, house: House, game: uuid.UUID, request_id: uuid.UUID
    ) -> None:
        house.supervisor.employments.update(player=token(house, game, "Bo"))

        page = answered(house.supervisor, request_id, "approve")

        assert page.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
        assert "You play in this game yourself" in page.text
        assert queries.waiting(house.id) == 1

    def test_another_void_overtakes_it(
        self, house: House, game: uuid.UUID, request_id: uuid.UUID
    ) -> None:
        other = builders.employed(house.establishment, Role.ATTENDANT)
        last = round_played(house, game).stream_version
        done(house, game, "void", by=other, back_to=last, reason="That one, too.", now=LATER)
        answered(house.supervisor, request_id, "approve")
        settled(house)

        states = RequestRow.objects.filter(game=game).order_by("position")
        assert [row.state for row in states] == ["approved", "overtaken"]

    def test_decided_at_the_table_it_is_told_so(
        self, house: House, game: uuid.UUID, request_id: uuid.UUID
    ) -> None:
        """The list is older than the game: nobody is misled."""
        number = RequestRow.objects.get(id=request_id).subject["request"]
        done(house, game, "reject", by=house.manager, request=number)

        page = answered(house.supervisor, request_id, "approve")

        assert "waits no longer" in page.text


def test_history_is_filtered_sorted_and_read_page_by_page(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("casino.kit.web.listings.pages.LINES", 2)
    for number in range(3):
        request = asked(house, reason=f"Box {number}.", amount=30 + number % 2)
        decided(house, request, house.supervisor)
    decided(house, asked(house, reason="Box 9."), house.manager, approve=False, reason="No.")
    client, address = signed_in(house.auditor), reverse("approvals-history")

    def reasons(query: str) -> list[str]:
        table = client.get(f"{address}{query}").context["table"]
        return [line.item.reason for line in table.lines]

    first = client.get(address, {"state": "approved"}).context["table"]
    older = client.get(f"{address}{first.next_url}").context["table"]
    assert [line.item.reason for line in first.lines] == ["Box 2.", "Box 1."]
    assert [line.item.reason for line in older.lines] == ["Box 0."]
    assert older.next_url == ""
    assert reasons("?state=rejected&kind=drop") == ["Box 9."]
    assert client.get(address, {"state": "blessed"}).status_code == HTTPStatus.OK
    assert reasons("?sort=-amount&state=approved") == ["Box 1.", "Box 2."]


def test_history_as_a_file_holds_every_line_of_it(house: House) -> None:
    for reason in ("Box 1.", "Box 2."):
        decided(house, asked(house, reason=reason), house.supervisor, reason="Counted.")
    client, address = signed_in(house.auditor), reverse("approvals-history")

    lines = list(csv.reader(client.get(address, {"format": "csv"}).text.splitlines()))

    head = next(number for number, line in enumerate(lines) if "decision" in line)
    rows = [dict(zip(lines[head], line, strict=True)) for line in lines[head + 1 :]]
    assert [row["reason"] for row in rows] == ["Box 2.", "Box 1."]
    assert {(row["state"], row["decision"]) for row in rows} == {("approved", "Counted.")}
    elsewhere = signed_in(builders.house().auditor).get(address, {"format": "csv"})
    assert "Box" not in elsewhere.text


def test_the_queue_costs_the_same_however_much_waits(
    house: House, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(7):
        asked(house)
    client = signed_in(house.supervisor)
    client.get(reverse("approvals"))

    with django_assert_max_num_queries(24):
        client.get(reverse("approvals"))


@pytest.mark.parametrize("times", [1, 6])
def test_what_was_decided_costs_the_same_however_much_it_is(
    house: House, times: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(times):
        decided(house, asked(house), house.supervisor)
        decided(house, asked(house), house.manager, approve=False, reason="No.")
    client = signed_in(house.supervisor)
    client.get(reverse("approvals-history"))

    with django_assert_num_queries(HISTORY):
        response = client.get(reverse("approvals-history"))

    assert len(response.context["table"].lines) == 2 * times
