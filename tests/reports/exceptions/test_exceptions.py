"""The exception report: everything out of the ordinary, once, with who and why (C2)."""

from __future__ import annotations

from collections import defaultdict
from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from casino.engine.processes.queues.house_subscriber import HOUSE
from casino.house.acts import acts, changes
from casino.house.attendants.models import Role
from casino.house.establishments import gaming_day
from casino.house.home_throws import house_rules
from casino.kit.approvals import operations as approvals
from casino.kit.approvals import requests
from casino.money.payouts import adjustments, resuming
from casino.money.payouts.adjustments import Adjustment
from casino.play.core.subscriptions.tasks import advance
from casino.play.dice.surveillance import alarms as dice_alarms
from casino.play.dice.surveillance import queries as surveillance
from casino.play.exclusions import operations as exclusions
from casino.play.settlement import payout_holds
from casino.proof.signing import keys
from casino.reports.gaming_days import closing
from casino.reports.registers.exceptions import queries as exceptions
from casino.reports.registers.exceptions.queries import Criteria
from ledger import journal
from ledger.notes import SigningKey
from tests.support import builders, cashing
from tests.support.approving import act, asked, decided, left_alone
from tests.support.cashing import FIFTY, both_count
from tests.support.dayend import TODAY, closed
from tests.support.exceptional import ALL, key, listed, looked, told
from tests.support.playing import LATER, NOW, done, opened, round_played, settled, thrown, token
from tests.support.random_player import RandomPlayer
from tests.support.staff import Staff
from tests.support.watching import loaded_dice, watched

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ledger.wire import StoredEvent
    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql", but="citus")]


# --- Each kind, once ---------------------------------------------------------------------------


def test_c1_what_was_asked_for_and_decided(house: House) -> None:
    decided(house, asked(house), house.supervisor, reason="Counted.")
    decided(house, asked(house), house.manager, approve=False, reason="Not today.")
    approvals.withdraw(act(house, house.attendant), asked(house))
    asked(house)  # waits: nothing has happened yet

    who, box = key(house.attendant), "The box is full."
    assert [told(line) for line in listed(house)] == [
        ("withdrawal", "Drop", who, None, box, ""),
        ("rejection", "Drop", who, key(house.manager), box, "Not today."),
        ("approval", "Drop", who, key(house.supervisor), box, "Counted."),
    ]
    assert {line.amount for line in listed(house)} == {30}


def test_d1b_what_was_done_alone_stands_there_reviewed_or_not(house: House) -> None:
    left_alone(house)
    request = asked(house, house.manager)
    approvals.do_alone(act(house, house.manager), request, reason="Nobody else is here.")
    [line] = listed(house)
    assert told(line)[:4] == ("alone", "Drop", key(house.manager), None)
    assert (line.alone, line.reviewed_by, line.in_order) == (True, None, None)
    assert (line.reason, line.decision) == ("The box is full.", "Nobody else is here.")
    assert "not reviewed" in looked(house, role=Role.AUDITOR)

    objection = {"in_order": False, "note": "The box was half empty."}
    approvals.review(act(house, house.auditor), request, **objection)  # type: ignore[arg-type]

    review, line = listed(house)
    assert (review.kind, review.decision) == ("review", "The box was half empty.")
    assert (review.decided_by, line.reviewed_by) == (line.reviewed_by, review.decided_by)
    assert line.reviewed_by is not None
    assert (line.reviewed_by.name, line.in_order) == (str(house.auditor), False)
    assert f"objected: {house.auditor}" in looked(house, role=Role.AUDITOR)


def test_g4_every_void_asked_for_or_not(house: House) -> None:
    game = opened(house)
    done(house, game, "throw", player="Ada", dice=[2, 2, 7])
    done(house, game, "void", back_to=2, reason="Misread.")
    round_played(house, game)
    for answer, by in (("reject", house.supervisor), ("approve", house.manager)):
        [wanted] = done(house, game, "void", back_to=4, reason="Wrong player.", now=LATER)
        done(house, game, answer, by=by, request=wanted.data["request"], reason=answer.title())

    lines = listed(house)

    who = key(house.attendant)
    assert [told(line)[:5] for line in lines] == [
        ("void", "Void", who, key(house.manager), "Wrong player."),
        ("rejection", "Void", who, key(house.supervisor), "Wrong player."),
        ("void", "Void", who, None, "Misread."),
    ]
    assert {line.where for line in lines} == {"Stone Hand at Table 1"}
    assert lines[-1].address == f"/floor/games/{game}/log/"


def test_c2_a_change_of_configuration_and_whose(house: House) -> None:
    table = house.table
    table.stake_max = 900
    changes.change(table, establishment=house.establishment, by=house.manager, reason="Quiet.")

    [line] = listed(house)

    assert told(line) == (
        "configuration", "Table Table 1", key(house.manager), None, "Quiet.", "",
    )  # fmt: skip
    assert line.address in looked(house).replace("&amp;", "&")
    assert line.address not in looked(house, role=Role.SUPERVISOR).replace("&amp;", "&")
    log = builders.signed_in(house.manager).get(line.address)
    assert "Quiet." in log.content.decode()


def test_e2_payouts_stopped_and_resumed(house: House) -> None:
    payout_holds.stop_payouts(house.establishment, why="regrade", about="x", now=NOW)
    asking = act(house, house.supervisor)
    resuming.ask(asking, reason="Repaired.")
    request = requests.id_of(house.id, asking.command_id)
    approvals.decide(act(house, house.manager), request, approve=True, reason="Seen.")

    resumed, stopped = listed(house, kind="payouts")

    assert told(resumed)[1:] == (
        "Resume payouts", key(house.supervisor), key(house.manager), "Repaired.", "Seen.",
    )  # fmt: skip
    assert stopped.what == "Payouts stopped: a regrade found payouts that differ"
    assert stopped.asked_by.name == "the program"
    assert stopped.address == "/payouts/"


def test_c2_what_was_done_to_the_proof_itself(house: House) -> None:
    first, other = (SigningKey.generate(f"dice.example/{house.id}").public for _ in range(2))
    keys.announce_on_record(house.establishment, [first], NOW)
    assert not listed(house, kind="override"), "the first key of a house is nothing unusual"

    keys.announce_on_record(house.establishment, [other], NOW)
    keys.retire_on_record(house.establishment, first, NOW)
    parked: dict[str, journal.Json] = {"follower": "settlement", "stream": "x", "position": 7}
    by_hand(house, "parked", "parked.retried", parked)
    by_hand(house, "ledger", "ledger.epoch_opened", {"epoch": 2})

    lines = listed(house, kind="override")
    assert [line.what for line in lines] == [
        "Restored from a backup that lacks something; new epoch: 2",
        "Parked events tried again from position: 7",
        f"Key retired: {first.id.hex()}",
        f"Another key signs the ledger: {other.id.hex()}",
    ]
    assert {line.address for line in lines} == {"/proof/"}


def by_hand(house: House, stream: str, event_type: str, data: Mapping[str, journal.Json]) -> None:
    event = journal.NewEvent(stream=stream, event_type=event_type, schema_version=1, data=data)
    happened = acts.Done(guards={stream: 0}, events=[event])
    acts.perform(act(house, house.manager), lambda: happened)


def test_c1_an_adjustment(house: House) -> None:
    game = opened(house)
    round_played(house, game)
    settled(house)
    ada, bo = token(house, game, "Ada"), token(house, game, "Bo")
    asking = act(house, house.attendant)
    what = Adjustment(game=game, giver=bo, taker=ada, amount=2, round_no=1)
    adjustments.ask(asking, what, reason="Paid twice.")
    request = requests.id_of(house.id, asking.command_id)
    approvals.decide(act(house, house.supervisor), request, approve=True)

    [line] = listed(house)

    assert told(line)[:5] == (
        "adjustment", "Adjustment", key(house.attendant), key(house.supervisor), "Paid twice.",
    )  # fmt: skip
    assert (line.amount, line.where) == (2, "Stone Hand at Table 1")


def test_b1_a_count_over_or_short_and_not_one_that_came_out_right() -> None:
    house = cashing.house()
    cashing.opened(house, FIFTY)
    both_count(house, FIFTY)
    both_count(house, {"25": 1, "5": 4})
    advance(HOUSE, house.id)

    lines, _ = exceptions.page(house.establishment, Criteria(), most=ALL)

    [line] = lines
    assert told(line)[:4] == (
        "over_short", "Float", key(house.attendant), key(house.supervisor),
    )  # fmt: skip
    assert (line.amount, line.where) == (-5, "Table 1")
    assert line.address == f"/cash/tables/{house.table.pk}/"


def test_b4_a_late_entry_and_e3_clocks_apart(house: House) -> None:
    game = opened(house)
    for behind, player in ((timedelta(days=1), "Ada"), (timedelta(minutes=1), "Bo")):
        thrown(house, game, player, (2, 2, 7), occurred_at=(NOW - behind).isoformat())

    skew, late = listed(house)

    assert told(late)[:4] == ("late", "throw", key(house.attendant), None)
    assert (late.late, late.seconds, late.meant_for) == ("late", 86_400, TODAY - gaming_day.A_DAY)
    assert (skew.kind, skew.late, skew.seconds) == ("skew", "skew", 60)
    assert "late: of 19 Nov" in looked(house)
    assert [line.kind for line in listed(house, kind="late")] == ["late"]


def test_what_is_void_and_late_is_one_line_that_says_both(house: House) -> None:
    game = opened(house)
    thrown(house, game, "Ada", (2, 2, 7))
    at = (NOW - timedelta(days=1)).isoformat()
    done(house, game, "void", back_to=2, reason="Misread.", occurred_at=at)

    [line] = listed(house)

    assert (line.kind, line.late, line.reason) == ("void", "late", "Misread.")
    assert [found.position for found in listed(house, kind="late")] == [line.position]
    assert [found.position for found in listed(house, kind="void")] == [line.position]


def test_a4_a_game_opened_otherwise_than_the_house_plays_it_is_an_override(house: House) -> None:
    now = timezone.now()
    house_rules.publish(
        establishment=house.establishment, game="stone-hand", options={"rethrow": 1},
        effective_from=now, by=house.manager, now=now,
    )  # fmt: skip
    client = house.client(Role.SUPERVISOR)
    for table, options in zip(house.tables, ({"rethrow": 2}, {"rethrow": 1}), strict=True):
        answer = client.post(builders.GAMES, builders.opening(table, options=options))
        assert answer.status_code == 201, answer.content

    [line] = listed(house, kind="override")

    assert line.what == "Game opened otherwise than by the house's rules: Throws again by choice"
    assert (line.asked_by.id, line.where) == (key(house.supervisor), "Stone Hand at Table 1")


def test_p1_an_exclusion_taken_back_is_an_override(house: House) -> None:
    game = opened(house)
    player = token(house, game, "Ada")
    exclusions.exclude(
        act(house, house.supervisor), player=player, since=TODAY, until=None, reason="Asked."
    )
    exclusions.readmit(act(house, house.supervisor), player=player, reason="The year is over.")

    [line] = listed(house)

    assert told(line) == (
        "override", "Player readmitted before the end: Ada", key(house.supervisor), None,
        "The year is over.", "",
    )  # fmt: skip
    assert line.address == f"/players/{player}/"


@pytest.mark.long("postgresql")
def test_a7_c3_b4_a_witness_a_resolved_dispute_and_a_signed_day_are_approvals() -> None:
    house = builders.house(large_prize=15)
    game = opened(house, stake=20, players=["Ada", "Bo"])
    for _ in range(3):  # Ada loses all she has to the pool, and Bo takes it
        won = round_played(house, game)
    settled(house)
    done(house, game, "witness", by=house.supervisor, payout=f"{won.stream_version}.0")
    [raised] = done(house, game, "dispute", round=3, reason="It was a 3.")
    answer = {"dispute": raised.stream_version, "outcome": "stands", "reason": "Seen by two."}
    done(house, game, "resolve", by=house.supervisor, **answer)
    closed(house)
    closing.sign(act(house, house.supervisor), TODAY)

    lines = listed(house, kind="approval")

    assert [told(line)[1:5] for line in lines] == [
        ("Gaming day signed: 20/11/2026", key(house.manager), key(house.supervisor), ""),
        ("Dispute resolved", key(house.attendant), key(house.supervisor), "Seen by two."),
        ("Large prize witnessed", key(house.attendant), key(house.supervisor), ""),
    ]
    browser = builders.signed_in(house.manager)
    assert {browser.get(line.address).status_code for line in lines} == {200}


# --- Nothing is missing ------------------------------------------------------------------------


ENDS = {f"approval.{how}" for how in ("approved", "rejected", "withdrawn", "done_alone")}


def out_of_the_ordinary(event: StoredEvent, entry: list[StoredEvent]) -> bool:
    """As an auditor reads the journal, without any list."""
    data, carried = event.data, any(each.event_type in ENDS for each in entry)
    signed = bool(data.get("approved_by") or data.get("alone")) and not carried
    apart = abs((event.provenance.recorded_at - event.provenance.occurred_at).total_seconds())
    late = apart > 5 and event.command_seq == 0 and not event.stream.startswith("settlement/")
    return (
        signed
        or late
        or event.event_type in ENDS | {"approval.reviewed", "payouts.stopped", "game.voided"}
        or event.event_type in {"game.void_rejected", "player.readmitted"}
        or event.stream.startswith("record/")
        or bool(data.get("difference"))
    )


@pytest.mark.long("postgresql")
@pytest.mark.rows(1)
@pytest.mark.parametrize("seed", [1, 2])
def test_c2_nothing_in_the_journal_is_missing_and_nothing_is_listed_twice(seed: int) -> None:
    chance = Random(seed)  # noqa: S311 - dice of a test
    house = builders.house(tables=3, dice_sets=0, counts_floats=True)
    builders.dice_for_every_game(house.establishment, sets=3)
    croupier = RandomPlayer(house, chance)
    staff = Staff(house, chance, croupier)
    staff.opens_the_house()
    for _ in range(120):
        chance.choice((croupier.does_something, staff.does_something))()
        croupier.now += timedelta(seconds=chance.choice((1, 20, 400)))
    house.table.stake_max = 900
    changes.change(house.table, establishment=house.establishment, by=house.manager)
    lines = listed(house)
    events = journal.read(establishment=house.id, after=-1, limit=100_000)
    entries: dict[Any, list[StoredEvent]] = defaultdict(list)
    for event in events:
        entries[event.provenance.command_id].append(event)

    expected = {
        event.position
        for event in events
        if out_of_the_ordinary(event, entries[event.provenance.command_id])
    }
    found = [line.position for line in lines]
    assert len(found) == len(set(found))
    assert found == sorted(found, reverse=True)
    assert expected <= set(found)
    assert {line.kind for line in lines if line.position not in expected} <= {"late"}
    assert {"void", "approval", "configuration"} <= {line.kind for line in lines}


@pytest.mark.long("postgresql")
def test_f2_an_alarm_that_was_acknowledged_is_named_and_leads_to_its_dice(house: House) -> None:
    loaded_dice(house)
    raised = list(surveillance.alarms(house.id).filter(open=True))
    titles = surveillance.titles_of(house.establishment, [(row.kind, row.name) for row in raised])
    for row in raised:
        seen = act(house, house.supervisor)
        dice_alarms.acknowledge(seen, alarm=row.id, reason="The set was swapped.")
    watched(house)

    lines = listed(house, kind="alarm")

    assert len(lines) == len(raised) > 1
    assert {(line.what, line.address) for line in lines} == {
        (
            f"Alarm about dice acknowledged: {titles[row.kind, row.name]}, d{row.sides}",
            surveillance.address(row.kind, row.name),
        )
        for row in raised
    }
