"""What people do to games: each function checks the permission, then makes one call to `core`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.db.models import Q

from casino.engine.processes.signals import answered, played
from casino.house.acts.game_streams import catalogue, occupancy
from casino.house.acts.game_streams.loading import GameKey, load
from casino.house.attendants import permissions
from casino.house.home_throws import house_rules
from casino.house.home_throws import operations as home_throws
from casino.play.core import commands as core_commands
from casino.play.core import core
from casino.play.core.commands import DiceUnfit, Surroundings, Who
from casino.play.dice.models import DiceSet, State
from games import vocabulary
from games.refusals import Malformed, Refused

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from casino.house.attendants.models import Attendant
    from casino.house.establishments.models import Establishment, Table
    from games.game import DiceNeeded
    from ledger.journal import NewEvent

SECOND_PERSON = frozenset({"approve", "reject", "resolve"})  # need the right to approve (C1)


class NoDice(Refused):
    code = "no_dice"


class TableNotInUse(Refused):
    code = "table_not_in_use"


@dataclass(frozen=True, slots=True)
class Run:
    """The answers to a list of commands; the last is a refusal if the list stopped there."""

    answers: tuple[core.Answer, ...]

    @property
    def stopped(self) -> bool:
        return bool(self.answers) and self.answers[-1].refusal is not None


def open_game(  # noqa: PLR0913 - who, from where and when come from the edge
    *,
    by: Attendant,
    table: Table,
    raw: Mapping[str, Any],
    now: datetime,
    device: str,
    dice_set: DiceSet | None = None,
) -> core.Answer:
    """
    Open a game at a table; its id is derived from the id of the command.

    Fields that the command leaves out are filled in from the house's rules in force (A4). With
    ``home_throw_policy: fixed`` and no home throw given, the house's own is taken (H1).

    :raises NotYours: if the person may not record play at this house.
    :raises Malformed: if ``raw`` is no ``open`` command.

    Refusals are answers, not exceptions: those of the rules, and `NoDice`, `DiceUnfit` and
    `TableNotInUse`.
    """
    house = table.establishment
    permissions.require(by, "record", house)
    raw = check_shape({**raw, "do": "open"})
    answer = core.ask(
        house=house,
        key=GameKey(house.pk, core.game_of(house.pk, UUID(raw["command_id"]))),
        raw=raw,
        who=Who(
            attendant=str(by.pk),
            device=device,
            now=now,
            plays_as=permissions.plays_as(by, house.pk),
        ),
        opening=lambda: _surroundings(table, dice_set, raw, by, now),
        place={"table": str(table.pk)} | ({"dice_set": str(dice_set.pk)} if dice_set else {}),
    )
    _note_answer(raw, answer)
    core.note_refused(house, by, device, now, raw, answer, table=str(table.pk))
    played.send(None, establishment=house.pk)
    return answer


def command(  # noqa: PLR0913 - as open_game
    *,
    by: Attendant,
    house: Establishment,
    game: UUID,
    raw: Mapping[str, Any],
    now: datetime,
    device: str,
    seen: Mapping[str, int] | None = None,
    extra_events: Sequence[NewEvent] = (),
) -> core.Answer:
    """
    Put one command to a running game.

    :param seen: and `extra_events`: see `who.Who`.
    :raises NotYours: if the person's role does not allow it.
    :raises Malformed: if ``raw`` is not of the vocabulary, or has no ``command_id``.
    """
    run = commands(
        by=by,
        house=house,
        game=game,
        raws=[raw],
        now=now,
        device=device,
        seen=seen,
        extra_events=extra_events,
    )
    return run.answers[0]


def commands(  # noqa: PLR0913 - as open_game
    *,
    by: Attendant,
    house: Establishment,
    game: UUID,
    raws: Sequence[Mapping[str, Any]],
    now: datetime,
    device: str,
    seen: Mapping[str, int] | None = None,
    extra_events: Sequence[NewEvent] = (),
) -> Run:
    """
    Put commands to a game in order, until one is refused.

    All commands are checked before the first one is put, so a malformed one leaves nothing half
    done.
    """
    requested = [check_shape(raw) for raw in raws]
    acts: set[permissions.Act] = {
        "approve"
        if raw["do"] in SECOND_PERSON and not _takes_back(raw, by, GameKey(house.pk, game))
        else "record"
        for raw in requested
    }
    for act in acts:
        permissions.require(by, act, house)
    who = Who(
        attendant=str(by.pk),
        device=device,
        now=now,
        plays_as=permissions.plays_as(by, house.pk),
        seen=seen or {},
        extra_events=tuple(extra_events),
    )
    answers = []
    try:
        for raw in requested:
            answer = core.ask(house=house, key=GameKey(house.pk, game), raw=raw, who=who)
            _note_answer(raw, answer)
            answers.append(answer)
            core.note_refused(house, by, device, now, raw, answer)
            if answer.refusal:
                break
    finally:
        played.send(None, establishment=house.pk)
    return Run(tuple(answers))


def _note_answer(raw: Mapping[str, Any], answer: core.Answer) -> None:
    receipt = answer.receipt
    answered.send(
        None, kind=raw["do"], refused=receipt.refusal is not None, repeated=receipt.repeated
    )


def _takes_back(raw: Mapping[str, Any], by: Attendant, key: GameKey) -> bool:
    """Whether a command rejects a request that the person made: they take it back."""
    if raw["do"] != "reject":
        return False
    loaded = load(key)
    own = {each.request for each in loaded.state.requests if each.asked_by == str(by.pk)}
    commands = {str(loaded.events[number - 1].provenance.command_id) for number in own}
    return raw["request"] in own or str(raw["request"]).lower() in commands


def free_dice(table: Table, needed: DiceNeeded) -> DiceSet:
    """
    The smallest fitting dice set that is issued to the floor or to this table, and not in use.

    :raises NoDice: if there is no such set.
    """
    fit = DiceSet.objects.filter(
        Q(issued_to__isnull=True) | Q(issued_to=table),
        establishment=table.establishment_id,
        sides=needed.sides,
        count__gte=needed.count,
        state=State.ISSUED,
    )
    for dice in fit.order_by("count", "number"):
        if occupancy.lies_ready(table.establishment_id, str(dice.pk), str(table.pk)):
            return dice
    raise NoDice(f"No set of {needed} is free: close a game or add a set.")


def check_shape(raw: Mapping[str, Any]) -> Mapping[str, Any]:
    """:raises Malformed: if the command is not in the vocabulary, or has no ``command_id``."""
    vocabulary.shape(raw)
    if "command_id" not in raw:
        raise Malformed("command_id is missing: a UUID made by who asks.", field="command_id")
    try:
        UUID(raw["command_id"])
    except ValueError:
        raise Malformed("command_id is no UUID.", field="command_id") from None
    return raw


def _wants_home_throw(raw: Mapping[str, Any]) -> bool:
    """
    Whether an opening takes the house's own home throw (H1).

    It does not if the command names one, or if each player names one.
    """
    return (
        raw.get("home_throw_policy") == "fixed"
        and "home_throw" not in raw
        and raw.get("options", {}).get("homes") != "players"
    )


def _surroundings(
    table: Table, named: DiceSet | None, raw: Mapping[str, Any], by: Attendant, now: datetime
) -> Surroundings:
    """
    The table, dice, home throw and terms with which a game opens.

    :param named: the dice set that was asked for; None: any that is free and fits.
    :param by: who opens the game; their role decides whether terms may differ from the house's.
    :raises Refused: if there is no place for the game, or the house's rules forbid it.
    """
    if not table.in_use:
        raise TableNotInUse("This table is not in use: open the game at another.")
    ruleset, fields = catalogue.current(raw["game"]), vocabulary.read(raw)
    terms = house_rules.terms(
        establishment=table.establishment,
        requested=fields,
        role=permissions.roles(by).get(table.establishment_id, ""),
        at=now,
    )
    fields = {**fields, **{name: each for name, each in terms.fields.items() if each is not None}}
    needed = ruleset.dice(fields)
    dice_set = named or free_dice(table, needed)
    if dice_set.establishment_id != table.establishment_id:
        raise DiceUnfit("This dice set belongs to another house: take one of this house's.")
    core_commands.fitting(dice_set, needed, raw["game"], str(table.pk))
    throw, seen = (
        home_throws.look_up(establishment=table.establishment, at=now, game=raw["game"])
        if _wants_home_throw({**fields, **terms.fields})
        else (None, {})
    )
    return Surroundings(
        table=str(table.pk),
        dice_set=str(dice_set.pk),
        stake_min=table.stake_min,
        stake_max=table.stake_max,
        home_throw=throw.faces if throw else None,
        home_override=bool(throw and throw.override),
        seen={**terms.seen, **seen},
        terms=terms.fields,
        house_rules=terms.pinned,
    )
