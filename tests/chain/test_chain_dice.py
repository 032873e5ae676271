"""A dice set moves between houses: out of one ledger, into the other, never at two (F1)."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any
from unittest import mock

import pytest
from django.db import IntegrityError, OperationalError, transaction
from django.utils import timezone

from casino.chain import dice_pages, operations, proposals
from casino.chain.models import DiceArrival, DiceDeparture, DiceTransfer, Proposal
from casino.engine.processes.queues.house_subscriber import HOUSE
from casino.house.acts.game_streams import occupancy
from casino.house.attendants.pseudonyms import tokens
from casino.kit.web.jobs import running
from casino.play.dice.models import GONE, DiceSet, DiceStep, State
from casino.proof.verification import verifying
from ledger import journal
from tests.support import builders
from tests.support.chained import browser, chained, proven
from tests.support.listed import on_page

if TYPE_CHECKING:
    from tests.support.builders import House
    from tests.support.chained import Chained

pytestmark = pytest.mark.django_db
KINDS = ((DiceDeparture, dice_pages.DEPARTURE), (DiceArrival, dice_pages.ARRIVAL))


def proposed(here: Chained, dice: DiceSet | None = None, **more: Any) -> Proposal:
    source, target = here.houses
    return dice_pages.propose(
        proven(here.manager),
        **{
            "source": source.id, "target": target.id, "dice_set": (dice or source.dice).pk,
            "reason": "They need a third set.", "command_id": uuid.uuid4(), "now": timezone.now(),
            **more,
        },
    )  # fmt: skip


def approved(here: Chained, made: Proposal) -> None:
    proposals.decide(
        proven(here.second), made.pk, approve=True, now=timezone.now(), command_id=uuid.uuid4()
    )


def worked() -> None:
    """What the workers do, job after job."""
    for model, kind in KINDS:
        for run in model.objects.filter(state="running"):
            while running.advance(kind, run.establishment_id, run.id, seconds=1):
                pass


def sent(here: Chained) -> Proposal:
    made = proposed(here)
    approved(here, made)
    worked()
    return made


def live(house: House) -> list[DiceSet]:
    """The sets that are really there, not those that the builder made for the house."""
    rows = DiceSet.objects.filter(establishment=house.id).exclude(state__in=GONE)
    return list(rows)


def transfer(made: Proposal) -> DiceTransfer:
    return DiceTransfer.objects.get(proposal=made)


def last_of(house: House, dice: Any) -> Any:
    stream = occupancy.dice_stream(str(dice))
    return journal.last(establishment=house.id, stream=stream)


def test_it_leaves_one_house_s_ledger_and_comes_into_the_other_s() -> None:
    here = chained(2)
    source, target = here.houses
    DiceSet.objects.filter(pk=source.dice.pk).update(number="H-7", colour="ink")
    made = sent(here)

    gone = DiceSet.objects.get(establishment=source.id, pk=source.dice.pk)
    assert (gone.state, gone.withdrawn) == (State.SENT, True)
    came = DiceSet.objects.get(establishment=target.id, number="H-7")
    assert (came.state, came.sides, came.count, came.colour) == ("received", 8, 3, "ink")
    assert transfer(made).state == "arrived"

    left, arrived = last_of(source, gone.pk), last_of(target, came.pk)
    assert (left.event_type, left.data["to"]) == ("dice.sent", str(target.id))
    assert (arrived.event_type, arrived.data["from"]) == ("dice.received", str(source.id))
    for event in (left, arrived):
        assert event.data["transfer"] == str(made.pk)
        assert event.data["approved_by"] == str(here.second.pk) == event.provenance.actor
        assert event.data["asked_by"] == str(here.manager.pk)
    assert tokens.resolve(target.id, arrived.data["supplier"]) == source.establishment.name


@pytest.mark.long("postgresql", but="citus")
def test_both_houses_see_it_in_the_life_of_the_set() -> None:
    here = chained(2)
    source, target = here.houses
    sent(here)
    for house in here.houses:
        builders.followed(HOUSE, house.id)
    steps = DiceStep.objects.order_by("-position")
    came = next(each for each in live(target) if each.pk != target.dice.pk)
    assert steps.filter(establishment=source.id, dice_set=source.dice.pk)[0].what == "sent"
    assert steps.filter(establishment=target.id, dice_set=came.pk)[0].what == "received"
    page = browser(source.manager).get(f"/dice/sets/{source.dice.pk}/").content.decode()
    assert "Sent to another house" in page


def test_the_rows_of_both_houses_are_as_their_ledgers_have_them() -> None:
    here = chained(2)
    for house in here.houses:
        builders.on_record(house.establishment)
    sent(here)
    for house in here.houses:
        book = verifying.open_book(house.id, now=timezone.now())
        findings = [each for step in verifying.check_recorded(book, {}) for each in step.findings]
        assert findings == []


def test_a_set_of_that_number_there_is_another_set() -> None:
    here = chained(2)
    target = here.houses[1]
    sent(here)  # both houses have a set S1
    assert sorted(each.number for each in live(target)) == ["S1", "S1/2"]


class TestKilled:
    """Whenever a worker dies, the set is at one house or on its way, and never at two."""

    def test_between_the_leaving_and_its_step(self) -> None:
        here = chained(2)
        made = proposed(here)
        approved(here, made)
        dies = mock.patch.object(running, "_record_step", side_effect=OperationalError)
        with dies, pytest.raises(OperationalError):
            worked()
        source, target = here.houses
        assert (live(source), len(live(target))) == ([], 1)
        assert transfer(made).state == "leaving"
        worked()
        assert (live(source), len(live(target))) == ([], 2)
        assert len([e for e in stream(source, source.dice.pk) if e.event_type == "dice.sent"]) == 1

    def test_between_the_two_houses(self) -> None:
        here = chained(2)
        made = proposed(here)
        approved(here, made)
        [run] = DiceDeparture.objects.all()
        running.advance(dice_pages.DEPARTURE, run.establishment_id, run.id, seconds=1)
        source, target = here.houses
        assert transfer(made).state == "sent"
        assert (live(source), len(live(target))) == ([], 1)
        assert DiceArrival.objects.get().establishment_id == target.id
        worked()
        assert transfer(made).state == "arrived"

    def test_between_the_arrival_and_its_step(self) -> None:
        here = chained(2)
        made = proposed(here)
        approved(here, made)
        [run] = DiceDeparture.objects.all()
        running.advance(dice_pages.DEPARTURE, run.establishment_id, run.id, seconds=1)
        dies = mock.patch.object(running, "_record_step", side_effect=OperationalError)
        with dies, pytest.raises(OperationalError):
            worked()
        assert len(live(here.houses[1])) == 2
        worked()
        assert len(live(here.houses[1])) == 2
        assert transfer(made).state == "arrived"


def stream(house: House, dice: Any) -> list[Any]:
    return list(journal.stream(establishment=house.id, stream=occupancy.dice_stream(str(dice))))


class TestWhatStays:
    def test_dice_on_a_table(self) -> None:
        here = chained(2)
        builders.opened(here.house)
        made = sent(here)
        found = transfer(made)
        assert found.state == "refused"
        assert "lies on a table" in found.why
        assert live(here.house) == [here.house.dice]

    def test_a_set_whose_house_has_left_meanwhile(self) -> None:
        here = chained(2)
        made = proposed(here)
        approved(here, made)
        operations.leave(here.chain, here.houses[1].establishment, reason="", now=timezone.now())
        worked()
        assert transfer(made).state == "refused"
        assert live(here.house) == [here.house.dice]

    def test_a_set_that_leaves_already(self) -> None:
        here = chained(2)
        first, second = proposed(here), proposed(here)
        approved(here, first)
        with pytest.raises(dice_pages.LeavesAlready):
            approved(here, second)
        assert Proposal.objects.get(pk=second.pk).state == "waiting"

    def test_a_set_that_has_left(self) -> None:
        here = chained(2)
        sent(here)
        with pytest.raises(dice_pages.NoSuchDice):
            proposed(here)
        gone = DiceSet.objects.get(establishment=here.house.id, pk=here.house.dice.pk)
        gone.withdrawn = False
        with pytest.raises(Exception, match="another house"):
            gone.clean()
        with pytest.raises(IntegrityError), transaction.atomic():
            DiceSet.objects.filter(pk=gone.pk).update(withdrawn=False)

    def test_a_set_of_another_house_or_for_another_chain(self) -> None:
        here, other = chained(2), chained(1)
        with pytest.raises(dice_pages.NoSuchDice):
            proposed(here, here.houses[1].dice)
        with pytest.raises(dice_pages.NotOfTheChain):
            proposed(here, target=other.house.id)
        with pytest.raises(dice_pages.SameHouse):
            proposed(here, target=here.house.id)


@pytest.mark.long("postgresql", but="citus")
def test_on_pages_it_is_proposed_from_a_house_and_followed_in_a_list() -> None:
    here = chained(2)
    source, target = here.houses
    client = browser(here.manager)
    assert client.get("/chain/dice/send/?house=nowhere").context.get("form") is None
    path = f"/chain/dice/send/?from={source.id}"
    assert len(client.get(path).context["form"].fields["dice_set"].choices) == 1
    sending = {"command_id": uuid.uuid4(), "dice_set": source.dice.pk, "reason": "For them.",
               "target": target.establishment.name.upper()}  # fmt: skip
    client.post(path, sending)
    made = Proposal.objects.get()
    browser(here.second).post(
        f"/chain/proposals/{made.pk}/", {"command_id": uuid.uuid4(), "do": "approve"}
    )
    worked()
    assert [row.state for row in on_page(client, "/chain/dice/")] == ["arrived"]
    page = client.get(f"/chain/proposals/{made.pk}/").content.decode()
    assert target.establishment.name in page
    [row] = builders.client(here.auditor).get("/api/v1/chain/dice/").json()["results"]
    assert (row["state"], row["from"]) == ("arrived", source.establishment.name)


@pytest.mark.long("postgresql", but="citus")
def test_a_name_that_no_house_has_is_said_on_the_form() -> None:
    here = chained(2)
    sending = {"command_id": uuid.uuid4(), "dice_set": here.house.dice.pk, "reason": "For them.",
               "target": "Nowhere"}  # fmt: skip
    answer = browser(here.manager).post(f"/chain/dice/send/?from={here.house.id}", sending)
    assert answer.status_code == 422
    assert "no house called Nowhere" in answer.content.decode()
