"""A house in which there is one of everything that has an address."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

from django.utils import timezone

from casino.engine.processes.queues.house_subscriber import HOUSE
from casino.floor.guests import own_pages
from casino.floor.players import waiting
from casino.house.acts import acts
from casino.house.attendants.models import Employment, Role
from casino.house.establishments import gaming_day
from casino.kit.approvals import operations as approvals
from casino.kit.approvals import requests
from casino.kit.documents.report import Query
from casino.kit.web.jobs import running
from casino.money.cash import slips
from casino.money.payouts import receipts
from casino.play.core.subscriptions import tasks
from casino.play.dice.surveillance.models import Alarm
from casino.play.settlement.models import Payout
from casino.proof.disputes.regrade import runs
from casino.proof.disputes.regrade.reading import Period
from casino.proof.signing.models import Verification
from casino.reports.registers import catalogue, preparing
from casino.reports.what_if import changes
from casino.reports.what_if import runs as whatif
from casino.settings.staff import invitations, tablets
from casino.words.languages import spelled
from ledger import checkpoints, journal
from ledger.notes import SigningKey
from ledger.verify import leaf_hash
from tests.support import builders, late_tablet, watching
from tests.support.builders import House, command, opened, put, settled, throw
from tests.support.playing import NOW
from tests.support.random_player import RandomPlayer
from tests.support.staff import Staff

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class AddressedHouse:
    house: House
    arguments: Mapping[str, Any]
    """What stands for each name in an address."""


def furnished() -> AddressedHouse:
    house = builders.house(counts_floats=True)
    chance = Random(1)  # noqa: S311 - of a test
    staff = Staff(house, chance, RandomPlayer(house, chance))
    staff.opens_the_house()
    game = opened(house)
    put(house, game, throw("Ada", 2, 2, 7), throw("Bruno", 2, 3, 4), throw("Cleo", 5, 5, 5))
    raised = put(house, game, command("dispute", round=1, reason="Ada says it was a one."))
    assert late_tablet.lists_one(house, UUID(game), now=timezone.now()) == 1
    settled(house)
    watching.loaded_dice(house, table=house.tables[1])
    tasks.advance(HOUSE, house.id)
    booked = Payout.objects.filter(establishment=house.establishment)[0]
    regrade = regraded(house)  # before `slip_of` books what no round has won
    [first] = journal.read(establishment=house.id, limit=1)
    key = SigningKey.generate("dice.example")
    checkpoints.grow(establishment=house.id, keys=[key], name=key.name, now=timezone.now())
    return AddressedHouse(
        house,
        {
            "establishment": house.id,
            "table": house.table.pk,
            "key": wall_of(house),
            "house": guests_of(house),
            "slip": slip_of(house, booked),
            "code": code_of(house, booked.payer),
            "ruleset": "stone-hand",
            "dice_set": house.dice.pk,
            "prize_rule": house.establishment.prizerule_set.create(
                kind="points", at=999, prize="A bottle"
            ).pk,
            "game": game,
            "number": 1,
            "alarm": Alarm.objects.filter(establishment=house.id)[0].id,
            "dispute": raised[0]["events"][0]["number"],
            "what": "tables",
            "round_no": 1,
            "regrade": regrade,
            "verification": verified(house),
            "what_if": asked_what_if(house),
            "day": gaming_day.current(house.establishment, timezone.now()),
            **asked_for(house, staff),
            **keys_of_sign_in(house),
            "kind": "cage",
            "name": "main",
            "purpose": "check",
            "cause": booked.cause,
            "seq": booked.seq,
            "player": booked.payer,
            "token": booked.payer,
            "entry": waits(house),
            "attendant": house.attendant.pk,
            "position": 0,
            "report": "fees",
            "preparation": prepared(house),
            "form": "json",
            "leaf": leaf_hash(first.body).hex(),
            "old": 1,
        },
    )


def waits(house: House) -> str:
    act = acts.Act(
        house=house.establishment, by=house.attendant, device="office", now=timezone.now(),
        command_id=uuid4(), request={},
    )  # fmt: skip
    return waiting.enter(act, name="Zoe", game="stone-hand").entry


def regraded(house: House) -> UUID:
    run = runs.begin(house=house.establishment, period=Period(), now=NOW)
    while running.advance(runs.REGRADE, house.id, run.id, seconds=1):
        pass
    return run.id


def verified(house: House) -> UUID:
    run = Verification.objects.create(
        establishment=house.establishment, occasion="night", asked_at=NOW, worked_at=NOW,
        stop=1, reached=1, cursor={"stage": "ends"}, state="sound",
    )  # fmt: skip
    return run.id


def prepared(house: House) -> UUID:
    at = Query(house=house.establishment, since=NOW.date(), until=NOW.date(), through=0)
    run = preparing.ask(by=house.manager, report=catalogue.report("fees"), query=at, now=NOW)
    while running.advance(preparing.PREPARATION, house.id, run.id, seconds=1):
        pass
    return run.id


def asked_what_if(house: House) -> UUID:
    run = whatif.ask(
        by=house.manager, house=house.establishment, period=Period(), now=NOW,
        change=changes.parse(fee="kind=rake,percent=5"),
    )  # fmt: skip
    while running.advance(whatif.WHAT_IF, house.id, run.id, seconds=1):
        pass
    return run.id


def asked_for(house: House, staff: Staff) -> dict[str, Any]:
    """A fill that was approved, which is slip 1, and one that waits."""
    found = []
    for reason in ("Low on fives.", "Low on ones."):
        act = staff.act(house.attendant)
        slips.ask(act, kind="fill", table=house.table, sheet={"5": 10}, reason=reason)
        found.append(requests.id_of(house.id, act.command_id))
    approvals.decide(staff.act(house.manager), found[0], approve=True)
    return {"request_id": found[1], "approval": found[1]}


def keys_of_sign_in(house: House) -> dict[str, Any]:
    """A person employed, one invited, a floor tablet."""
    now = timezone.now()
    tablet, _ = tablets.enrol(house=house.establishment, name="Bar", by=house.manager)
    invitation, _ = invitations.invite(
        house=house.establishment, name="Nell", role=Role.ATTENDANT, by=house.manager, now=now
    )
    employment = Employment.objects.get(attendant=house.attendant)
    return {"tablet": tablet.pk, "invitation": invitation.pk, "employment": employment.pk}


def guests_of(house: House) -> str:
    """The house as the addresses of its guests' page have it, switched on."""
    house.establishment.guests = True
    house.establishment.save(update_fields=["guests"])
    return spelled.compact(house.id)


def slip_of(house: House, booked: Payout) -> str:
    """The code of a slip: of a payout like this one, to its payer."""
    like = {each.attname: getattr(booked, each.attname) for each in Payout._meta.concrete_fields}
    row = Payout.objects.create(**{**like, "seq": booked.seq + 1, "payee": booked.payer})
    return receipts.code_of(house.establishment, row)


def code_of(house: House, player: str) -> str:
    """A code that the desk gave out for a player."""
    act = acts.Act(
        house=house.establishment, by=house.attendant, device="office", now=timezone.now(),
        command_id=uuid4(), request={},
    )  # fmt: skip
    return own_pages.give(act, player=player).text


def wall_of(house: House) -> str:
    """The address of the wall board of the house's first table, switched on."""
    type(house.table).objects.filter(pk=house.table.pk).update(wall=True)
    return house.table.wall_address
