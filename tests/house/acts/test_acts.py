"""Acts of a house outside its games: one decision, one entry, the same answer however often."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

import pytest

from casino.engine.processes.queues import house_subscriber
from casino.engine.processes.queues.house_subscriber import HOUSE
from casino.house.acts import acts
from casino.play.core.subscriptions import tasks
from games.refusals import Refused
from ledger import journal, subscriptions
from ledger.accounts import AccountRef, Kind
from ledger.money import balance
from tests.support import builders
from tests.support.playing import NOW

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from ledger.wire import StoredEvent
    from tests.support.builders import House

pytestmark = pytest.mark.django_db

BELL = "bell"
CAGE, BANK = AccountRef(Kind.CAGE, "main"), AccountRef(Kind.BANK, "house")


class TooLate(Refused):
    code = "too_late"


@pytest.fixture
def house() -> House:
    return builders.house()


def act(at: House, command_id: uuid.UUID | None = None, **asked: object) -> acts.Act:
    return acts.Act(
        house=at.establishment,
        by=at.manager,
        device="office",
        now=NOW,
        command_id=command_id or uuid.uuid4(),
        request={"do": "ring", **asked},
    )


def rung(at: House, version: int | None = None, **more: Any) -> acts.Done:
    """A bell that was rung: one event, and whatever else."""
    known = journal.versions(establishment=at.id, streams=[BELL])[BELL]
    event = journal.NewEvent(stream=BELL, event_type="bell.rung", schema_version=1, data={})
    return acts.Done(guards={BELL: known if version is None else version}, events=[event], **more)


def rings(at: House) -> int:
    return len(journal.stream(establishment=at.id, stream=BELL))


def test_an_act_leaves_its_events_under_the_name_of_who_did_it(house: House) -> None:
    request_act = act(house)
    receipt = acts.perform(request_act, lambda: rung(house))
    [event] = acts.events_of(house.id, receipt)
    assert event.event_type == "bell.rung"
    assert event.provenance.actor == str(house.manager.pk)
    assert event.provenance.command_id == request_act.command_id


def test_money_moves_in_the_entry_of_its_event(house: House) -> None:
    coins = journal.NewTransfer(debit=CAGE, credit=BANK, amount=500, reason="capital", event=0)
    acts.perform(act(house), lambda: rung(house, transfers=[coins]))
    assert balance(CAGE, establishment=house.id) == 500
    assert balance(BANK, establishment=house.id) == 500


def test_the_same_act_twice_is_done_once(house: House) -> None:
    request_act = act(house)
    first = acts.perform(request_act, lambda: rung(house))
    second = acts.perform(request_act, lambda: rung(house))
    assert (second.first_position, second.repeated) == (first.first_position, True)
    assert rings(house) == 1


def test_another_act_under_the_same_id_is_refused_as_reused(house: House) -> None:
    request_act = act(house, loud=True)
    acts.perform(request_act, lambda: rung(house))
    with pytest.raises(journal.CommandReused):
        acts.perform(act(house, request_act.command_id, loud=False), lambda: rung(house))


def test_another_person_does_not_get_the_answer_of_the_first(house: House) -> None:
    request_act = act(house)
    acts.perform(request_act, lambda: rung(house))
    theirs = acts.Act(
        house=house.establishment,
        by=house.supervisor,
        device="office",
        now=NOW,
        command_id=request_act.command_id,
        request=request_act.request,
    )
    with pytest.raises(journal.CommandReused):
        acts.perform(theirs, lambda: rung(house))


def test_a_refusal_is_an_answer_told_again(house: House) -> None:
    def too_late() -> acts.Done:
        raise TooLate("Ada's bell is silent after midnight.")

    request_act = act(house)
    for decide in (too_late, lambda: rung(house)):
        with pytest.raises(Refused) as refused:
            acts.perform(request_act, decide)
        assert (refused.value.code, str(refused.value)) == (
            "too_late",
            "Ada's bell is silent after midnight.",
        )
    assert rings(house) == 0


def test_sent_twice_at_once_it_has_one_answer(house: House) -> None:
    """Another server was quicker: what is refused because of that is not refused."""
    twice = act(house)

    def decide() -> acts.Done:
        acts.perform(twice, lambda: rung(house))
        raise TooLate("Somebody has rung it already.")

    receipt = acts.perform(twice, decide)

    assert rings(house) == 1
    assert (receipt.refusal, receipt.last_position) == (None, journal.head(establishment=house.id))


def test_what_a_refusal_says_stays_out_of_the_ledger(house: House) -> None:
    def too_late() -> acts.Done:
        raise TooLate("Ada's bell is silent after midnight.")

    request_act = act(house)
    with pytest.raises(Refused):
        acts.perform(request_act, too_late)
    known = journal.recorded_answer(
        establishment=house.id,
        command_id=request_act.command_id,
        request_hash=request_act.request_hash,
    )
    assert known is not None
    assert known.refusal is not None
    assert "Ada" not in known.refusal.detail


def test_it_is_decided_anew_on_what_moved_meanwhile(house: House) -> None:
    acts.perform(act(house), lambda: rung(house))
    versions: Iterator[int | None] = iter([0, None])  # the first look is an old one
    acts.perform(act(house), lambda: rung(house, next(versions)))
    assert rings(house) == 2


def test_what_never_stands_still_is_given_up(house: House) -> None:
    with pytest.raises(journal.StreamMoved):
        acts.perform(act(house), lambda: rung(house, 7))
    assert rings(house) == 0


class TestTheHousesSubscriber:
    @pytest.fixture
    def heard(self, monkeypatch: pytest.MonkeyPatch) -> list[str]:
        heard: list[str] = []

        def handle(event: StoredEvent) -> None:
            if event.stream == BELL:
                heard.append(event.event_type)

        area = house_subscriber.Area("bells", handle, rows=())
        monkeypatch.setattr(house_subscriber, "areas", lambda: [area])
        return heard

    def test_it_has_read_an_act_before_its_page_is_shown(
        self, house: House, heard: list[str]
    ) -> None:
        acts.perform(act(house), lambda: rung(house))
        assert heard == ["bell.rung"]

    def test_a_backlog_is_left_to_the_worker(self, house: House, heard: list[str]) -> None:
        many = house_subscriber.BATCHES * subscriptions.BATCH_MAX + 1
        event = journal.NewEvent(stream=BELL, event_type="bell.rung", schema_version=1, data={})
        acts.perform(act(house), lambda: acts.Done(guards={BELL: 0}, events=[event] * 1))
        heard.clear()
        with pytest.MonkeyPatch.context() as quiet:
            quiet.setattr(house_subscriber, "catch_up", lambda **_: None)
            for _ in range(many):
                acts.perform(act(house), lambda: rung(house))
        acts.perform(act(house), lambda: rung(house))
        assert len(heard) == many - 1
        tasks.advance(HOUSE, house.id)
        assert len(heard) == many + 1

    def test_rebuilt_from_nothing_it_reads_the_same(self, house: House, heard: list[str]) -> None:
        for _ in range(3):
            acts.perform(act(house), lambda: rung(house))
        heard.clear()
        subscriptions.rebuild(house_subscriber.HOUSE, establishment=house.id)
        assert heard == ["bell.rung"] * 3
