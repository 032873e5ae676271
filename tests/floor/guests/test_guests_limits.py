"""Limits and self-exclusion, asked for on a player's own page: they hold at every table."""

from __future__ import annotations

import uuid
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from casino.engine.processes.queues import house_subscriber
from casino.house.attendants.pseudonyms import tokens
from casino.play.exclusions import limits, operations
from casino.play.exclusions import operations as exclusions
from casino.play.exclusions.models import PlayerLimit
from ledger import journal, subscriptions
from tests.floor.guests.test_guests_codes import (
    _nobody_came_before,  # noqa: F401 - the evening of these tests, too
    ask,
    given,
    house,  # noqa: F401 - a fixture
    player,
    send,
)
from tests.floor.guests.test_guests_page import sentences
from tests.support import builders, voiding
from tests.support.at_once import at_once, on_a_file
from tests.support.cashing import act
from tests.support.playing import NOW, ask_open, done, opened, opening, refused, settled
from tests.support.playing import ask as put

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql")]

TODAY = date(2026, 11, 20)
SIT: dict[str, Any] = {"game": "cinnabar-gate", "stake": 20}


def limited(at: House, **most: int) -> None:
    answer = send(at, given(at), "limits", **{span: str(coins) for span, coins in most.items()})
    assert answer.status_code == 302, answer.text


def brings(at: House, game: uuid.UUID, coins: int) -> str:
    """What is said to money that Ada brings: "" if it is taken."""
    answer = put(at, game, "buy_in", player="Ada", amount=coins)
    return answer.refusal.code if answer.refusal else ""


def rows(at: House) -> dict[str, tuple[int | None, int | None]]:
    subscriptions.advance(house_subscriber.HOUSE, establishment=at.id)
    found = PlayerLimit.objects.filter(establishment=at.establishment)
    return {each.span: (each.most, each.then) for each in found}


# --- Limits --------------------------------------------------------------------------------------


def test_a_limit_holds_at_once_and_counts_what_was_paid_before(house: House) -> None:  # noqa: F811
    game = opened(house, players=["Ada", "Bo"], **SIT)
    limited(house, day=50)

    assert brings(house, game, 31) == "amount_not_taken"
    assert brings(house, game, 30) == ""
    assert brings(house, game, 1) == "amount_not_taken"
    told = sentences(ask(house, given(house)))
    assert "50 r</span> on a gaming day" in told or "At most 50 r on a gaming day: 50 r" in told


def test_it_holds_at_an_opening_and_a_join_of_every_game(house: House) -> None:  # noqa: F811
    limited(house, week=10)
    game = opened(house, players=["Bo", "Cy"], **SIT)

    assert refused(house, game, "join", player="Ada", stake=20) == "amount_not_taken"
    assert brings_by_opening(house) == "amount_not_taken"


def brings_by_opening(at: House) -> str:
    answer = ask_open(at, opening(players=["Ada", "Di"], **SIT), table=at.tables[1])
    return answer.refusal.code if answer.refusal else ""


def test_the_attendant_reads_no_reason(house: House) -> None:  # noqa: F811
    game = opened(house, players=["Ada", "Bo"], **SIT)
    limited(house, day=20)

    answer = put(house, game, "buy_in", player="Ada", amount=5)

    assert answer.refusal is not None
    said = tokens.resolve_text(house.id, answer.refusal.detail)
    assert said == "This amount cannot be taken from Ada now: ask a supervisor."


def test_what_a_void_takes_back_counts_no_more(house: House) -> None:  # noqa: F811
    game = opened(house, players=["Ada", "Bo"], **SIT)
    limited(house, day=50)
    [brought, *_] = done(house, game, "buy_in", player="Ada", amount=30)
    assert brings(house, game, 10) == "amount_not_taken"

    voiding.approved(house, game, brought.stream_version)

    assert brings(house, game, 30) == ""


def test_a_first_limit_waits_until_what_was_paid_in_is_counted(
    house: House,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    code = given(house)
    game = opened(house, players=["Ada", "Bo"], **SIT)
    with monkeypatch.context() as far_behind:
        far_behind.setattr(house_subscriber, "BATCHES", 0)
        answer = send(house, code, "limits", day="50")
    assert answer.status_code == 422
    assert "not counted yet" in sentences(answer)
    assert rows(house) == {}

    limited(house, day=50)

    assert brings(house, game, 31) == "amount_not_taken"
    assert brings(house, game, 30) == ""


def test_a_greater_one_holds_a_day_later_a_smaller_one_at_once(house: House) -> None:  # noqa: F811
    limited(house, day=50, month=400)
    limited(house, day=80, month=300)
    assert rows(house) == {"day": (50, 80), "month": (300, None)}
    seen = operations.exclusion_state_of(house.id).limits[player(house)]
    later = NOW + limits.COOLING_OFF
    assert [seen["day"].at(at) for at in (later - timedelta(seconds=1), later)] == [50, 80]

    with time_machine.travel(NOW + timedelta(hours=1), tick=False):
        limited(house, day=80, month=300)  # asked for again, it holds no later
        assert operations.exclusion_state_of(house.id).limits[player(house)]["day"].since == later
        limited(house, day=40)
    assert rows(house) == {"day": (40, None), "month": (300, None)}
    told = sentences(ask(house, given(house)))
    assert "any amount" in told


def test_days_weeks_and_months_are_those_of_gaming_days() -> None:
    friday = date(2026, 11, 20)
    days = {"2026-11-01": 1, "2026-11-15": 2, "2026-11-16": 4, "2026-11-20": 8}
    assert [limits.sum_of_span(days, span, friday) for span in limits.SPANS] == [8, 12, 15]


@pytest.mark.django_db(transaction=True)
def test_two_tables_at_once_take_no_more(house: House, tmp_path: Path) -> None:  # noqa: F811
    limited(house, day=60)
    games = [
        opened(house, players=["Ada", "Bo"], **SIT),
        opened(house, players=["Cy", "Di"], table=house.tables[1], **SIT),
    ]
    asked: list[tuple[str, dict[str, Any]]] = [("buy_in", {"amount": 30}), ("join", {"stake": 30})]

    def bring(number: int) -> Any:
        do, fields = asked[number]
        return put(house, games[number], do, player="Ada", **fields).refusal

    with on_a_file(tmp_path):
        refusals = at_once(2, bring)
        last = journal.last(establishment=house.id, stream=limits.stream_of_payments(player(house)))
    assert sorted(each.code if each else "" for each in refusals) == ["", "amount_not_taken"]
    assert last is not None
    assert last.data["days"] == {TODAY.isoformat(): 50}


# --- Self-exclusion ------------------------------------------------------------------------------


def excludes(at: House, days: int) -> Any:
    code, sent = given(at), {"command_id": str(uuid.uuid4()), "days": str(days)}
    sure = send(at, code, "break", **sent)
    if sure.status_code == 200:
        assert "you cannot take it back" in sure.text
    return send(at, code, "break", **sent, sure="on")


def test_p1_who_excludes_themselves_gets_no_seat_and_brings_no_money(house: House) -> None:  # noqa: F811
    game = opened(house, players=["Ada", "Bo"], **SIT)
    assert excludes(house, 7).status_code == 302

    assert brings(house, game, 5) == "excluded"
    assert brings_by_opening(house) == "excluded"
    settled(house)
    listed = builders.signed_in(house.supervisor).get(reverse("exclusions")).text
    assert "themselves" in listed
    assert "on the guests&#x27; page" in listed


def test_p1_it_is_only_made_longer(house: House) -> None:  # noqa: F811
    who = player(house)
    excludes(house, 30)
    assert excludes(house, 7).status_code == 422
    assert operations.exclusion_state_of(house.id).bars[who].until == TODAY + timedelta(days=30)
    assert excludes(house, 0).status_code == 302
    assert operations.exclusion_state_of(house.id).bars[who].until is None
    assert excludes(house, 365).status_code == 422

    exclusions.readmit(act(house, house.supervisor), player=who, reason="After a talk.")
    assert who not in operations.exclusion_state_of(house.id).bars


# --- In the office and for programs --------------------------------------------------------------


def test_supervisors_see_limits_and_set_them_by_the_api(house: House) -> None:  # noqa: F811
    address = f"/api/v1/establishments/{house.id}/limits/"
    supervisor, who = builders.signed_in(house.supervisor), player(house)
    sent = {"command_id": str(uuid.uuid4()), "player": who, "day": 50}
    first, again = (supervisor.post(address, sent) for _ in range(2))

    assert first.status_code == 200, first.content
    assert first.json() == again.json()
    [row] = first.json()["limits"]
    assert (row["span"], row["most"], row["then"], row["name"]) == ("day", 50, None, "Ada")
    assert rows(house) == {"day": (50, None)}
    assert supervisor.get(address).json()["results"] == [row]
    assert "on a gaming day" in supervisor.get(reverse("limits")).text
    attendant = builders.signed_in(house.attendant)
    assert attendant.get(address).status_code == 403
    assert attendant.post(address, sent | {"command_id": str(uuid.uuid4())}).status_code == 403
    assert attendant.get(reverse("limits")).status_code == 403


def test_a_supervisor_sets_them_on_the_player_s_page(house: House) -> None:  # noqa: F811
    who, supervisor, attendant = player(house), Client(), Client()
    supervisor.force_login(house.supervisor)
    attendant.force_login(house.attendant)
    page, address = (reverse(name, args=[who]) for name in ("player", "player-limits"))
    sent = {"command_id": str(uuid.uuid4()), "day": "50", "week": "", "month": "400"}

    assert attendant.post(address, sent).status_code == 403
    for _time in range(2):
        assert supervisor.post(address, sent).status_code == 302
    assert rows(house) == {"day": (50, None), "month": (400, None)}
    told = supervisor.get(page).text
    assert 'name="day" value="50"' in told
    assert "on a gaming day" in told
    refused = supervisor.post(address, sent | {"command_id": str(uuid.uuid4()), "day": "many"})
    assert refused.status_code == 302
    assert rows(house) == {"day": (50, None), "month": (400, None)}
