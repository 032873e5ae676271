"""
Settings rolled out to many houses: proposed by one manager of the chain, approved by another.

Each house is changed by a job of its own (`RollOut`), through the operations by which it changes
its settings itself, so its ledger has its own event with both people, the chain and the reason. A
house that refuses is named with why; the others go on. What is done is done once, however often a
worker is killed: the act's id is that of proposal, house and attempt.
"""

from __future__ import annotations

import uuid
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy

from casino.chain import proposals
from casino.chain.models import WHY_MAX, ChainHouse, Proposal, RollOut, RollOutHouse
from casino.house.acts import acts
from casino.house.attendants.pseudonyms import tokens as pseudonyms
from casino.house.establishments.clock import write_as_at
from casino.house.establishments.decimals import AMOUNTS
from casino.house.establishments.models import Establishment, HouseRules
from casino.house.home_throws import house_rules
from casino.kit.web.jobs import running
from casino.kit.web.jobs import tasks as jobs
from casino.kit.web.jobs.models import State as JobState
from casino.kit.web.jobs.running import Kind, StepResult
from casino.settings.configuration import operations as configuration
from casino.settings.configuration import requests
from casino.settings.configuration.operations import Adding, Became, Changing
from casino.words.languages.messages import translate
from games.refusals import Refused

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from datetime import datetime

    from casino.chain.models import Chain, ChainMember
    from casino.house.attendants.models import Attendant
    from casino.kit.web.jobs.models import Job

State = RollOutHouse.State
DEVICE: Final = "chain"
AT_ONCE: Final = 200  # houses whose jobs one turn of a worker begins
SETTINGS: Final = (
    "large_prize", "cash_threshold", "closing_grace", "idle_after", "waiting_minutes",
    "undo_seconds", "alarms_one_in", "tips_allowed", "counts_floats", "publishes_rules",
    "two_configure", "second_look", "pin_approves_voids", "wall", "wall_names", "wall_stakes",
    "wall_seconds", "guests",
)  # fmt: skip
"""What a chain may decide for its houses. A house's name, money, clock and language are its own."""
MONEY: Final = tuple(name for name in SETTINGS if name in AMOUNTS)
"""Settings in coins: they go to houses of one currency only."""


OF_A_VERSION: Final = ("id", "establishment", "version", "effective_from", "text", "set_by")
"""Columns that say which version of rules this is, and what hangs on the wall; others are rules."""


class NothingToRollOut(Refused):
    code = "nothing_to_roll_out"


class NotOfTheChain(Refused):
    code = "not_of_the_chain"


class SeveralCurrencies(Refused):
    code = "several_currencies"


class NotApproved(Refused):
    code = "not_approved"


class BeingSetUp(Refused):
    code = "being_set_up"


def propose(  # noqa: PLR0913 - what goes to which houses, and why
    member: ChainMember,
    *,
    values: Mapping[str, Any],
    houses: Collection[uuid.UUID],
    reason: str,
    command_id: uuid.UUID,
    now: datetime,
) -> Proposal:
    """
    Propose settings for houses of the chain.

    :param values: by column of a house, those of `SETTINGS`.
    :raises NothingToRollOut: if there is no value, or no house.
    :raises ValidationError: by field, if a value is valid at no house.
    :raises NotOfTheChain: if one of the houses is not the chain's.
    :raises SeveralCurrencies: if an amount is to go to houses of different currencies.
    """
    if not values or not houses:
        raise NothingToRollOut("Choose what is to be changed, and at which houses.")
    _valid(values)
    chosen = _mine(member.chain, houses)
    if set(values) & set(MONEY):
        _of_one_currency(chosen)
    return _propose(
        member, proposals.Kind.SETTINGS, {"values": dict(values)}, chosen,
        reason=reason, command_id=command_id, now=now,
    )  # fmt: skip


def propose_rules(  # noqa: PLR0913 - how which game is played at which houses, and why
    member: ChainMember,
    *,
    rules: Mapping[str, Any],
    houses: Collection[uuid.UUID],
    reason: str,
    command_id: uuid.UUID,
    now: datetime,
) -> Proposal:
    """
    Propose how a game is played at houses of the chain, from when each of them gets it.

    Options and fee may hold amounts, so the houses are of one currency.

    :param rules: as `house_rules.draft_rules` takes them: `game`, `played`, `options`, `fee`,
        `home_throws`, `deviations`. What hangs on the wall stays each house's own.
    :raises ValidationError: by field, if the game's own rules do not allow it.
    :raises NothingToRollOut: and other refusals, as `propose`.
    """
    if not houses:
        raise NothingToRollOut("Choose what is to be changed, and at which houses.")
    chosen = _mine(member.chain, houses)
    _of_one_currency(chosen)
    house_rules.draft_rules(
        establishment=chosen[0].establishment, effective_from=now, by=None, now=now, **rules
    )
    return _propose(
        member, proposals.Kind.RULES, {"rules": dict(rules)}, chosen,
        reason=reason, command_id=command_id, now=now,
    )  # fmt: skip


def _propose(  # noqa: PLR0913 - what goes to which houses, and why
    member: ChainMember,
    kind: proposals.Kind,
    what: Mapping[str, Any],
    chosen: Collection[ChainHouse],
    *,
    reason: str,
    command_id: uuid.UUID,
    now: datetime,
) -> Proposal:
    ids = sorted(str(each.establishment_id) for each in chosen)
    subject = {
        **what, "many": len(ids), "houses": sha256(" ".join(ids).encode()).hexdigest(),
    }  # fmt: skip

    def also(made: Proposal) -> None:
        RollOutHouse.objects.bulk_create(
            RollOutHouse(establishment_id=each, proposal=made, changed_at=now) for each in ids
        )

    return proposals.propose(
        member, kind=kind, subject=subject, reason=reason, command_id=command_id, now=now,
        also=also,
    )  # fmt: skip


def _valid(values: Mapping[str, Any]) -> None:
    """
    :raises ValidationError: naming the columns.
    :raises DoesNotFit: naming the value that has another type than its column.
    """
    if unknown := sorted(set(values) - set(SETTINGS)):
        raise ValidationError({unknown[0]: "A chain does not decide this for its houses."})
    requests.check_types("house", values)
    fields = {field.name for field in Establishment._meta.concrete_fields}  # noqa: SLF001 - documented
    Establishment(**values).clean_fields(exclude=fields - set(values))


def _mine(chain: Chain, houses: Collection[uuid.UUID]) -> list[ChainHouse]:
    rows = ChainHouse.objects.filter(chain=chain, establishment__in=set(houses))
    found = list(rows.select_related("establishment"))
    if len(found) != len(set(houses)):
        raise NotOfTheChain("One of these houses is not of your chain: choose again.")
    return found


def _of_one_currency(chosen: Collection[ChainHouse]) -> None:
    known = {
        (each.establishment.currency_code, each.establishment.currency_symbol,
         each.establishment.coin_digits): each.establishment
        for each in chosen
    }  # fmt: skip
    if len(known) > 1:
        first, second, *_more = known.values()
        raise SeveralCurrencies(
            f"{first} and {second} count in different coins: an amount goes to houses of one"
            " currency."
        )


def begin(proposal: Proposal, _by: Attendant, now: datetime) -> None:
    """Let workers begin at each house; a lost wake is found by the sweep (`chain.tasks.watch`)."""
    from casino.chain import tasks  # noqa: PLC0415 - it begins what is declared here

    _of(proposal).filter(state=State.PROPOSED).update(state=State.WAITING, changed_at=now)
    tasks.wake_roll_outs()


def again(member: ChainMember, proposal: uuid.UUID, *, now: datetime) -> int:
    """
    Try the houses once more that refused; how many those are. What is done stays done.

    :raises NotYours: if the person does not manage the chain.
    """
    from casino.chain import tasks  # noqa: PLC0415 - as above
    from casino.chain.frame import require  # noqa: PLC0415 - pages below need no roll-outs

    require(member, "configure")
    found = Proposal.objects.filter(chain=member.chain, pk=proposal).first()
    if found is None:
        raise proposals.NoSuchProposal("Your chain has no such proposal.")
    if found.state != Proposal.State.APPROVED:
        raise NotApproved("A second manager of the chain approves it first. C1")
    with transaction.atomic():
        refused: int = (
            _of(found)
            .filter(state=State.REFUSED)
            .update(state=State.WAITING, why="", changed_at=now, attempt=F("attempt") + 1)
        )
        tasks.wake_roll_outs()
    return refused


def _of(proposal: Proposal) -> Any:
    return RollOutHouse.objects.filter(proposal=proposal)


def begin_waiting(now: datetime) -> bool:
    """Begin the jobs of houses that wait for one; returns whether more may wait."""
    rows = RollOutHouse.objects.filter(state=State.WAITING).order_by("changed_at")
    waiting = list(rows.select_related("establishment", "proposal__decided_by")[:AT_ONCE])
    for row in waiting:
        _begin(row, now)
    return len(waiting) == AT_ONCE


def _begin(row: RollOutHouse, now: datetime) -> None:
    """Begin the job of a house and note it, both or neither; another worker may have done it."""
    with transaction.atomic():
        mine = RollOutHouse.objects.filter(pk=row.pk, state=State.WAITING, attempt=row.attempt)
        if not mine.update(state=State.RUNNING, changed_at=now):
            return
        job = running.begin(
            ROLL_OUT, house=row.establishment, now=now, stop=1,
            asked_by=row.proposal.decided_by, once=f"{row.proposal_id}/{row.attempt}",
            parameters={"proposal": str(row.proposal_id)},
        )  # fmt: skip
        jobs.wake(job)


def step(run: RollOut) -> StepResult:
    """Change the house, or note why it refuses."""
    rows = RollOutHouse.objects.filter(
        establishment=run.establishment_id, proposal=uuid.UUID(run.proposal)
    ).select_related("proposal__chain", "proposal__decided_by")
    row = rows.first()
    if row is None or row.state != State.RUNNING:
        return StepResult(state=JobState.DONE, reached=1)
    now = timezone.now()
    state, why = _change_house(row, run.establishment, now)

    def keep() -> None:
        rows.filter(state=State.RUNNING).update(state=state, why=why[:WHY_MAX], changed_at=now)

    ended = JobState.STOPPED if state == State.REFUSED else JobState.DONE
    return StepResult(state=ended, reached=1, keep=keep, figures={"became": state, "why": why})


def _change_house(row: RollOutHouse, house: Establishment, now: datetime) -> tuple[str, str]:
    """Change one house; how it ended, and why if it refused."""
    with write_as_at(house):
        try:
            outcome = _put(row, house, now)
        except ValidationError as invalid:
            return State.REFUSED, " ".join(invalid.messages)
        except Refused as refused:
            return State.REFUSED, translate(str(refused))
    return (State.UNCHANGED if outcome.became == Became.UNCHANGED else State.DONE), ""


def _put(row: RollOutHouse, house: Establishment, now: datetime) -> configuration.ChangeOutcome:
    proposal = row.proposal
    if not ChainHouse.objects.filter(establishment=house, chain=proposal.chain_id).exists():
        raise NotOfTheChain(f"{house} has left {proposal.chain}.")
    if house.setting_up:
        raise BeingSetUp(f"{house} is still being set up: try again when it is done.")
    act = acts.Act(
        house=house, by=proposal.decided_by, device=DEVICE, now=now,
        command_id=uuid.uuid5(house.pk, f"roll-out/{row.proposal_id}/{row.attempt}"),
        request={"do": "roll_out", "proposal": str(row.proposal_id)},
    )  # fmt: skip
    if (before := configuration.earlier_outcome(act)) is not None:
        return before
    wanted = _change_for_house(proposal, act)
    if wanted is None:
        return configuration.ChangeOutcome(Became.UNCHANGED)
    return configuration.put_decided(
        act, wanted, reason=proposal.reason,
        asked_by=str(proposal.asked_by_id),
        decided_for={"chain": str(proposal.chain_id), "proposal": str(row.proposal_id)},
    )  # fmt: skip


def _change_for_house(proposal: Proposal, act: acts.Act) -> Adding | Changing | None:
    """The change of one house; None if its rules are these already."""
    house, subject = act.house, proposal.subject
    if proposal.kind == proposals.Kind.SETTINGS:
        return Changing(Establishment.objects.get(pk=house.pk), subject["values"])
    rules = subject["rules"]
    current = house_rules.in_force(establishment=house, game=rules["game"], at=act.now)
    words = pseudonyms.resolve(house.pk, current.text) if current and current.text else ""
    drafted = house_rules.draft_rules(
        establishment=house, effective_from=act.now, by=act.by, now=act.now, text=words, **rules
    )
    if current and have_the_same_rules(current, drafted):
        return None
    drafted.pk = configuration.new_id(act)
    return Adding(drafted, current)


def have_the_same_rules(one: HouseRules, other: HouseRules) -> bool:
    return all(
        getattr(one, field.attname) == getattr(other, field.attname)
        for field in HouseRules._meta.concrete_fields  # noqa: SLF001 - documented
        if field.name not in OF_A_VERSION
    )


def _about(job: Job) -> str:
    return str(job.parameters.get("proposal", ""))[:8]


ROLL_OUT: Final = Kind(
    model=RollOut,
    title=gettext_lazy("Settings of the chain"),
    about=_about,
    step=step,
    url=lambda _job: reverse("settings-changes"),
    words={**dict(JobState.choices), JobState.STOPPED: gettext_lazy("refused")},
)
