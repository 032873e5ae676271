"""Beside the play, at a real table: places, signatures, second eyes (B3, F1, A7, C3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from casino.house.acts.game_streams import occupancy
from casino.house.attendants.models import Employment, Role
from casino.house.attendants.pseudonyms import tokens
from casino.play.core import queries
from tests.support import builders
from tests.support.playing import (
    PAIR_4,
    PAIR_7,
    ask,
    done,
    game_of,
    opened,
    refused,
    round_played,
    settled,
    state,
    thrown,
    token,
)
from tests.support.regrading import differences

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = pytest.mark.django_db


@pytest.fixture
def house() -> House:
    return builders.house()


def lies_on(house: House, dice: int) -> str | None:
    stream = occupancy.dice_stream(str(house.dice_sets[dice].pk))
    return occupancy.occupant(house.id, stream)[0]


@pytest.mark.long("postgresql")
def test_f1_other_dice_lie_on_the_table_and_every_throw_says_so(house: House) -> None:
    game = opened(house)
    first, second = (str(dice.pk) for dice in house.dice_sets)
    [before] = thrown(house, game, "Ada", PAIR_7)
    thrown(house, game, "Bo", PAIR_4)

    done(house, game, "change_dice", dice_set=second, reason="A corner is chipped.")
    [after] = thrown(house, game, "Ada", PAIR_7)

    assert [each.data["place"]["dice_set"] for each in (before, after)] == [first, second]
    assert (lies_on(house, 0), lies_on(house, 1)) == (None, str(game))
    assert state(house, game)["dice_set"] == second
    thrown(house, game, "Bo", PAIR_4)
    done(house, game, "close")
    assert lies_on(house, 1) is None


@pytest.mark.long("postgresql")
def test_f1_dice_that_lie_elsewhere_do_not_fit_or_are_gone_are_refused(house: House) -> None:
    game, other = opened(house), opened(house, table=house.tables[1])
    large = builders.dice_set(house.establishment, sides=6, count=3)
    gone = builders.dice_set(house.establishment, withdrawn=True)
    theirs = builders.house().dice

    taken = game_of(house, other).place["dice_set"]
    assert refused(house, game, "change_dice", dice_set=taken, reason="x") == "dice_taken"
    shouted = str(builders.dice_set(house.establishment).pk).upper()
    for unfit in (str(large.pk), str(gone.pk), str(theirs.pk), shouted, f"{{{taken}}}", "S2"):
        assert refused(house, game, "change_dice", dice_set=unfit, reason="x") == "dice_unfit"
    thrown(house, game, "Ada", PAIR_7)
    free = builders.dice_set(house.establishment)
    assert refused(house, game, "change_dice", dice_set=str(free.pk), reason="x") == "round_running"


@pytest.mark.long("postgresql")
def test_f1_a_game_that_a_void_reopens_has_the_dice_it_had_last(house: House) -> None:
    game = opened(house)
    second = str(house.dice_sets[1].pk)
    done(house, game, "change_dice", dice_set=second, reason="chipped")
    [closed, *_] = done(house, game, "close")
    settled(house)

    [requested] = done(house, game, "void", back_to=closed.stream_version, reason="too early")
    done(house, game, "approve", by=house.supervisor, request=requested.data["request"])

    assert lies_on(house, 1) == str(game)


@pytest.mark.long("postgresql")
def test_b3_outgoing_and_incoming_sign_in_sessions_of_their_own(house: House) -> None:
    game = opened(house)
    thrown(house, game, "Ada", PAIR_7)
    to = str(house.supervisor.pk)

    [offered] = done(house, game, "handover", to=to)
    assert refused(house, game, "handover", by=house.manager, to=str(house.manager.pk)) == (
        "already_offered"
    )
    [taken] = done(house, game, "handover", by=house.supervisor, to=to)

    assert (offered.provenance.actor, taken.provenance.actor) == (str(house.attendant.pk), to)
    assert (offered.data["version"], offered.data["round"]) == (2, 1)
    assert (taken.data["version"], taken.data["offered"]) == (2, offered.stream_version)


@pytest.mark.long("postgresql")
@pytest.mark.parametrize("to", ["Mira", "auditor", "leaver", "stranger"])
def test_b3_a_table_is_handed_to_nobody_but_who_records_here(house: House, to: str) -> None:
    people = {
        "auditor": house.auditor,
        "leaver": builders.person(),
        "stranger": builders.house().attendant,
    }
    named = str(people[to].pk) if to in people else to

    assert refused(house, opened(house), "handover", to=named) == "not_staff_here"


@pytest.mark.long("postgresql")
def test_a7_who_recorded_the_throw_is_no_witness(house: House) -> None:
    game = opened(house, stake=7)
    last = round_played(house, game)  # Ada is out: Bo gets the pool
    payout = f"{last.stream_version}.0"

    assert refused(house, game, "witness", payout=payout) == "own_record"
    [seen] = done(house, game, "witness", by=house.supervisor, payout=payout)

    assert seen.data["asked_by"] == str(house.attendant.pk)
    assert seen.data["approved_by"] == seen.provenance.actor == str(house.supervisor.pk)
    assert state(house, game)["witnessed"] == [payout]


@pytest.mark.long("postgresql")
def test_c3_a_dispute_is_decided_by_somebody_who_had_no_part_in_it(house: House) -> None:
    game = opened(house)
    round_played(house, game)
    [raised] = done(house, game, "dispute", by=house.manager, round=1, reason="Ada says a one.")
    body = {"dispute": raised.stream_version, "outcome": "stands", "reason": "The camera agrees."}

    assert tokens.is_token(raised.data["reason"])
    assert [each["reason"] for each in state(house, game)["disputes"]] == ["Ada says a one."]
    assert refused(house, game, "resolve", by=house.manager, **body) == "own_request"
    [ended] = done(house, game, "resolve", by=house.supervisor, **body)

    assert ended.data["asked_by"] == str(house.manager.pk)
    assert ended.data["approved_by"] == ended.provenance.actor
    assert state(house, game)["disputes"] == []


@pytest.mark.long("postgresql")
def test_c1_who_plays_in_the_game_themselves_approves_nothing_of_it(house: House) -> None:
    game = opened(house, stake=7)
    last = round_played(house, game)
    [raised] = done(house, game, "dispute", round=1, reason="Misread.")
    plays = Employment.objects.filter(attendant=house.supervisor)
    plays.update(player=token(house, game, "Bo"))
    body = {"outcome": "stands", "reason": "x", "dispute": raised.stream_version}
    payout = f"{last.stream_version}.0"

    assert refused(house, game, "witness", by=house.supervisor, payout=payout) == "own_table"
    assert refused(house, game, "resolve", by=house.supervisor, **body) == "own_table"
    [seen] = done(house, game, "witness", by=house.manager, payout=payout)
    assert seen.data["beneficiaries"] == [str(house.supervisor.pk)]


@pytest.mark.long("postgresql")
def test_c3_an_attendant_does_not_decide(house: House) -> None:
    game = opened(house)
    round_played(house, game, by=house.supervisor)
    [raised] = done(house, game, "dispute", round=1, reason="Misread.")
    body: dict[str, Any] = {"dispute": raised.stream_version, "outcome": "stands", "reason": "No."}

    address = f"/api/v1/games/{game}/commands/"
    answer = house.client(Role.ATTENDANT).post(address, builders.command("resolve", **body))
    assert answer.status_code == 403
    assert refused(house, game, "resolve", by=house.supervisor, **body) == "own_record"
    assert ask(house, game, "resolve", by=house.manager, **body).refusal is None


def test_c3_voided_moves_the_money_back(house: House) -> None:
    game = opened(house)
    before = state(house, game)["stakes"]
    round_played(house, game)
    settled(house)
    [raised] = done(house, game, "dispute", round=1, reason="Misread.")

    done(
        house, game, "resolve", by=house.supervisor,
        dispute=str(raised.provenance.command_id), outcome="voided", reason="A one.",
    )  # fmt: skip
    settled(house)

    seen = state(house, game)
    assert seen["stakes"] == seen["booked"] == before
    assert differences(house) == []


@pytest.mark.long("postgresql")
def test_a_break_is_said_and_nothing_is_thrown_in_it(house: House) -> None:
    game = opened(house)
    done(house, game, "pause", note="A die is on the floor.")

    assert refused(house, game, "throw", player="Ada", dice=list(PAIR_7)) == "paused"
    seen = state(house, game)
    assert seen["paused"]
    assert {row["do"] for row in seen["offers"]} == {"resume", "handover", "change_dice", "close"}
    done(house, game, "resume")
    assert not queries.state(game_of(house, game))["paused"]
