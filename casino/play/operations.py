"""What people do to games, one function each: who may, then one call into the core."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.db.models import Q

from casino.attendants import permissions
from casino.dice.models import DiceSet
from casino.home_throws import operations as home_throws
from casino.play import core, places, tasks
from casino.play.commands import Surroundings, Who
from casino.play.loading import GameKey
from games import vocabulary
from games.refusals import Malformed, Refused

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from casino.attendants.models import Attendant
    from casino.establishments.models import Establishment, Table

SECOND_PERSON = frozenset({"approve", "reject"})  # acts of whoever may approve (C1)
LIST_MAX = 500  # commands in one request
DICE, SIDES = 3, 8  # what the games on offer are played with


class NoDice(Refused):
    code = "no_dice"


class DiceUnfit(Refused):
    code = "dice_unfit"


class TableNotInUse(Refused):
    code = "table_not_in_use"


@dataclass(frozen=True, slots=True)
class Run:
    """How far a list of commands got: the answers, the last one a refusal if it stopped."""

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
    Open a game at a table; its id follows from the command's.

    With ``home_throw_policy: fixed`` and no home throw given, the house's own is taken (H1).

    :raises NotYours: if the person may not record play at this house.
    :raises Malformed: if ``raw`` is no ``open`` command.

    Refusals are answers: among them `NoDice`, `DiceUnfit` and `TableNotInUse`, as the rules' own.
    """
    house = table.establishment
    permissions.require(by, "record", house)
    raw = _shaped({**raw, "do": "open"})
    answer = core.ask(
        house=house,
        key=GameKey(house.pk, core.game_of(house.pk, UUID(raw["command_id"]))),
        raw=raw,
        who=Who(attendant=str(by.pk), device=device, now=now),
        opening=lambda: _surroundings(table, dice_set or free_dice(house), raw, now),
        place={"table": str(table.pk)} | ({"dice_set": str(dice_set.pk)} if dice_set else {}),
    )
    tasks.nudge(establishment=house.pk)
    return answer


def command(  # noqa: PLR0913 - as open_game
    *,
    by: Attendant,
    house: Establishment,
    game: UUID,
    raw: Mapping[str, Any],
    now: datetime,
    device: str,
) -> core.Answer:
    """
    Put one command to a running game.

    :raises NotYours: if the person's role does not allow it.
    :raises Malformed: if ``raw`` is not of the vocabulary, or has no ``command_id``.
    """
    run = commands(by=by, house=house, game=game, raws=[raw], now=now, device=device)
    return run.answers[0]


def commands(  # noqa: PLR0913 - as open_game
    *,
    by: Attendant,
    house: Establishment,
    game: UUID,
    raws: Sequence[Mapping[str, Any]],
    now: datetime,
    device: str,
) -> Run:
    """
    Put commands to a game in order, until one is refused.

    All are looked at before the first is put, so that a malformed one leaves nothing half done.
    """
    shaped = [_shaped(raw) for raw in raws]
    acts: set[permissions.Act] = {
        "approve" if raw["do"] in SECOND_PERSON else "record" for raw in shaped
    }
    for act in acts:
        permissions.require(by, act, house)
    who = Who(attendant=str(by.pk), device=device, now=now)
    answers = []
    try:
        for raw in shaped:
            answer = core.ask(house=house, key=GameKey(house.pk, game), raw=raw, who=who)
            answers.append(answer)
            if answer.refusal:
                break
    finally:
        tasks.nudge(establishment=house.pk)
    return Run(tuple(answers))


def free_dice(house: Establishment, *, sides: int = SIDES, count: int = DICE) -> DiceSet:
    """
    A dice set of the house that lies on no table.

    :raises NoDice: if there is none.
    """
    fit = Q(sides=sides, count__gte=count, withdrawn=False)
    for dice in DiceSet.objects.filter(fit, establishment=house):
        occupant, _ = places.occupant(house.pk, places.dice_stream(str(dice.pk)))
        if occupant is None:
            return dice
    raise NoDice(f"No set of {count}d{sides} is free: close a game or add a set.")


def _shaped(raw: Mapping[str, Any]) -> Mapping[str, Any]:
    vocabulary.shape(raw)
    if "command_id" not in raw:
        raise Malformed("command_id is missing: a UUID made by who asks.", field="command_id")
    try:
        UUID(raw["command_id"])
    except ValueError:
        raise Malformed("command_id is no UUID.", field="command_id") from None
    return raw


def _wants_home_throw(raw: Mapping[str, Any]) -> bool:
    """Whether the house's own is meant: not where one is named, or each player names one (H1)."""
    return (
        raw.get("home_throw_policy") == "fixed"
        and "home_throw" not in raw
        and raw.get("options", {}).get("homes") != "players"
    )


def _surroundings(
    table: Table, dice_set: DiceSet, raw: Mapping[str, Any], now: datetime
) -> Surroundings:
    if not table.in_use:
        raise TableNotInUse("This table is not in use: open the game at another.")
    if dice_set.establishment_id != table.establishment_id:
        raise DiceUnfit("This dice set belongs to another house: take one of this house's.")
    if dice_set.withdrawn or (dice_set.sides, dice_set.count >= DICE) != (SIDES, True):
        raise DiceUnfit(f"Set {dice_set.number} is withdrawn or not {DICE}d{SIDES}: take another.")
    throw, seen = (
        home_throws.looked_up(establishment=table.establishment, at=now)
        if _wants_home_throw(raw)
        else (None, {})
    )
    return Surroundings(
        table=str(table.pk),
        dice_set=str(dice_set.pk),
        stake_min=table.stake_min,
        stake_max=table.stake_max,
        home_throw=throw.faces if throw else None,
        home_override=bool(throw and throw.override),
        seen=seen,
    )
