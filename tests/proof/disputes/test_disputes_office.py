"""Disputes in the office (C3): found, raised, seen whole, decided by a second person."""

from __future__ import annotations

import re
import uuid
from datetime import timedelta
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse

from casino.engine.processes.queues import house_subscriber
from casino.engine.processes.queues.house_subscriber import HOUSE
from casino.house.attendants.models import Role
from casino.proof.disputes import queries
from casino.proof.disputes.models import DisputeRow, Seated
from casino.proof.disputes.queries import Criteria
from ledger import subscriptions
from tests.support import builders
from tests.support.playing import (
    NOW,
    PAIR_1,
    PAIR_4,
    booked_events,
    done,
    game_of,
    opened,
    round_played,
    settled,
    state,
)

if TYPE_CHECKING:
    from casino.house.attendants.models import Attendant
    from ledger.wire import StoredEvent
    from tests.support.builders import House

pytestmark = pytest.mark.django_db


@pytest.fixture
def house() -> House:
    return builders.house()


def disputed(house: House, **fields: Any) -> tuple[uuid.UUID, StoredEvent]:
    """A game of which the first round is disputed."""
    game = opened(house)
    round_played(house, game)
    [raised] = done(
        house, game, "dispute", **{"round": 1, "reason": "Ada says it was a one.", **fields}
    )
    settled(house)
    return game, raised


def page(who: Attendant, name: str, /, **arguments: Any) -> str:
    query = arguments.pop("query", {})
    answer = builders.signed_in(who).get(reverse(name, kwargs=arguments), query)
    assert answer.status_code == HTTPStatus.OK, answer.status_code
    text: str = answer.text
    return text


def sent(who: Attendant, name: str, /, form: dict[str, str], **arguments: Any) -> Any:
    body = {"command_id": str(uuid.uuid4()), **form}
    return builders.signed_in(who).post(reverse(name, kwargs=arguments), body, format="multipart")


@pytest.mark.long("postgresql")
def test_c3_an_open_dispute_is_listed_with_its_age_until_it_is_decided(house: House) -> None:
    game, raised = disputed(house)
    number = raised.stream_version

    listed = page(house.auditor, "disputes")
    assert "Ada says it was a one." in listed
    assert "open for" in listed
    assert re.search(r'class="waiting[^>]*>\s*1', listed)

    answer = sent(house.supervisor, "dispute", {"outcome": "stands", "reason": "The camera."},
                  game=game, dispute=number)  # fmt: skip
    assert answer.status_code == HTTPStatus.FOUND, answer.text
    settled(house)
    listed = page(house.auditor, "disputes")
    assert "Nothing is disputed." in listed
    assert "The camera." in listed
    assert "it stands" in listed


@pytest.mark.long("postgresql")
def test_c3_one_dispute_is_shown_throw_by_throw_with_its_rules(house: House) -> None:
    game, raised = disputed(house)

    html = page(house.auditor, "dispute", game=game, dispute=raised.stream_version)

    assert "Step by step" in html
    assert 'id="step-2"' in html
    assert "SH4" in html
    assert str(house.attendant) in html
    assert "about round 1: Ada says it was a one." in html


@pytest.mark.long("postgresql")
def test_c3_who_raised_or_recorded_it_is_told_that_another_decides(house: House) -> None:
    game, raised = disputed(house, by=house.supervisor)
    number = raised.stream_version

    assert "You raised this dispute" in page(house.supervisor, "dispute", game=game, dispute=number)
    assert "Decide it" in page(house.manager, "dispute", game=game, dispute=number)
    assert "Decide it" not in page(house.attendant, "dispute", game=game, dispute=number)
    form = {"outcome": "stands", "reason": "I say so."}
    forced = sent(house.supervisor, "dispute", form, game=game, dispute=number)
    assert forced.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "does not decide it" in forced.text or "You raised this dispute" in forced.text
    assert state(house, game)["disputes"]


@pytest.mark.long("postgresql", but="citus")
def test_c3_voided_says_what_goes_with_it_and_takes_it_back(house: House) -> None:
    game, raised = disputed(house)
    number = raised.stream_version

    html = page(house.supervisor, "dispute", game=game, dispute=number)
    assert "with all that followed" in html
    sent(house.supervisor, "dispute", {"outcome": "voided", "reason": "A one."}, game=game,
         dispute=number)  # fmt: skip
    settled(house)

    row = DisputeRow.objects.get(game=game)
    assert row.outcome == "voided"
    assert row.voided_position is not None
    assert state(house, game)["stakes"] == {"Ada": 20, "Bo": 20}
    assert "Void from 2 on" in page(house.auditor, "dispute", game=game, dispute=number)


@pytest.mark.long("postgresql")
def test_c3_a_dispute_is_raised_from_the_office(house: House) -> None:
    game = opened(house)
    round_played(house, game)
    settled(house)

    assert "Round 1 as a whole" in page(house.attendant, "dispute-raise", game=game)
    answer = sent(house.attendant, "dispute-raise", {"about": "round 1", "reason": "Misread."},
                  game=game)  # fmt: skip
    assert answer.status_code == HTTPStatus.FOUND, answer.text
    again = sent(house.manager, "dispute-raise", {"about": "round 1", "reason": "Again."},
                 game=game)  # fmt: skip
    assert again.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "is about the same" in again.text


@pytest.mark.long("postgresql")
def test_c3_a_payout_by_itself_is_disputed_from_the_office(house: House) -> None:
    game = opened(house, stake=7)
    last = round_played(house, game)
    settled(house)
    payout = f"payout {last.stream_version}.0"

    assert payout in page(house.supervisor, "dispute-raise", game=game)
    sent(house.supervisor, "dispute-raise", {"about": payout, "reason": "Bo was paid twice."},
         game=game)  # fmt: skip

    [dispute] = state(house, game)["disputes"]
    assert dispute["payout"] == f"{last.stream_version}.0"


@pytest.mark.long("postgresql")
def test_c3_the_same_form_twice_is_one_dispute(house: House) -> None:
    game = opened(house)
    round_played(house, game)
    form = {"about": "round 1", "reason": "Misread.", "command_id": str(uuid.uuid4())}

    for _ in range(2):
        answer = sent(house.attendant, "dispute-raise", form, game=game)
        assert answer.status_code == HTTPStatus.FOUND

    assert len(state(house, game)["disputes"]) == 1


def found(house: House, **criteria: Any) -> set[tuple[uuid.UUID, int]]:
    return {
        (each.game, each.round) for each in queries.find(house.establishment, Criteria(**criteria))
    }


@pytest.mark.long("postgresql")
def test_c3_it_is_found_by_receipt_table_and_time_player_and_pot(house: House) -> None:
    """By any of them, and by all of them together; never another house's."""
    later = NOW + timedelta(minutes=5)
    game = opened(house)
    first = round_played(house, game)
    second = round_played(house, game, ("Ada", PAIR_1), ("Bo", PAIR_4), now=later)
    other = opened(house, table=house.tables[1], players=["Cy", "Dea"])
    settled(house)
    booked = booked_events(house, game)[0].position

    assert found(house, receipt=str(first.provenance.command_id)) == {(game, 1)}
    assert found(house, receipt=str(second.event_id)) == {(game, 2)}
    assert found(house, receipt=f" {first.position} ") == {(game, 1)}
    assert found(house, receipt=str(game)) == {(game, 2)}
    assert found(house, receipt=str(booked)) == {(game, 1)}
    assert found(house, table=house.table.pk, at=NOW) == {(game, 1)}
    assert found(house, table=house.table.pk, at=later) == {(game, 2)}
    assert {each for each, _ in found(house, player="Cy")} == {other}
    assert {each for each, _ in found(house, player=" Ada ")} == {game}
    assert {each for each, _ in found(house, game="stone-hand")} == {game, other}
    assert found(house, game="river") == found(house, player="Nobody") == found(house) == set()
    assert found(house, receipt="no receipt") == found(house, receipt="9" * 30) == set()
    assert found(builders.house(), receipt=str(first.event_id)) == set()


@pytest.mark.long("postgresql")
def test_c3_what_was_found_is_shown_with_the_way_to_raise_it(house: House) -> None:
    game, raised = disputed(house)

    html = page(house.attendant, "disputes-find",
                 query={"receipt": str(raised.provenance.command_id)})  # fmt: skip

    assert f"{raised.stream_version}, open" in html
    assert reverse("dispute-raise", args=[game]) in html
    blank = page(house.attendant, "disputes-find")
    assert 'id="found-head"' not in blank
    none = page(house.attendant, "disputes-find", query={"player": "Nobody"})
    assert "No round of this house fits" in none
    unfit = page(house.attendant, "disputes-find", query={"at": "yesterday"})
    assert "“yesterday” is not a date" in unfit


def test_rows_are_rebuilt_from_nothing(house: House) -> None:
    game, raised = disputed(house)
    done(house, game, "void", back_to=2, reason="x")
    request = game_of(house, game).state.requests[-1].request
    done(house, game, "approve", by=house.manager, request=request)
    settled(house)
    done(house, game, "resolve", by=house.supervisor, dispute=raised.stream_version,
         outcome="voided", reason="Thrown anew.")  # fmt: skip
    settled(house)

    def rows() -> list[dict[str, Any]]:
        every: list[Any] = [*DisputeRow.objects.values(), *Seated.objects.values()]
        return every

    before = rows()
    assert len(before) == 3
    house_subscriber.forget(house.id)
    subscriptions.rebuild(HOUSE, establishment=house.id)
    assert rows() == before


@pytest.mark.long("postgresql")
@pytest.mark.parametrize("role", [Role.ATTENDANT, Role.AUDITOR])
def test_c3_who_may_not_approve_closes_nothing(house: House, role: Role) -> None:
    game, raised = disputed(house)
    answer = sent(house.people[role], "dispute", {"outcome": "stands", "reason": "x"}, game=game,
                  dispute=raised.stream_version)  # fmt: skip

    assert answer.status_code == HTTPStatus.FORBIDDEN
    assert state(house, game)["disputes"]


@pytest.mark.long("postgresql")
def test_another_house_s_dispute_is_not_there(house: House) -> None:
    game, raised = disputed(house)
    stranger = builders.signed_in(builders.house().manager)

    for name in ("dispute", "dispute-bundle"):
        address = reverse(name, kwargs={"game": game, "dispute": raised.stream_version})
        assert stranger.get(address).status_code == HTTPStatus.NOT_FOUND
    assert stranger.get(reverse("dispute-raise", args=[game])).status_code == HTTPStatus.NOT_FOUND


@pytest.mark.long("postgresql")
def test_a_dispute_that_never_was_is_not_there(house: House) -> None:
    game = opened(house)
    address = reverse("dispute", kwargs={"game": game, "dispute": 9})

    assert builders.signed_in(house.manager).get(address).status_code == HTTPStatus.NOT_FOUND
