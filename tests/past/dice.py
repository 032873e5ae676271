"""The dice set with a loaded die, and what becomes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from casino.play.dice import life
from casino.play.dice.models import DiceSet
from casino.play.dice.surveillance import alarms as surveillance

if TYPE_CHECKING:
    from casino.play.dice.surveillance.models import Alarm
    from tests.past.floor import Floor

LOADED_SET, OTHER_SET = "S-01", "S-02"
"""Sets of three d8 of which one die is loaded: in the third week, and on the last evenings."""
SHARE: Final = {LOADED_SET: 0.34, OTHER_SET: 0.5}
"""How often the loaded die comes to rest on its highest face, instead of anywhere."""
FOUND: Final = (
    "Floated in salt water: the river green die always turns its 8 up. The set was locked away."
)


def named(floor: Floor, number: str) -> DiceSet:
    return DiceSet.objects.get(establishment=floor.house, number=number)


def acknowledged(floor: Floor, alarm: Alarm) -> None:
    surveillance.acknowledge(floor.act("sela"), alarm=alarm.id, reason=FOUND)


def withdrawn(floor: Floor, number: str) -> None:
    life.withdraw(floor.act("sela"), named(floor, number).pk, reason="A loaded die is in it.")


def destroyed(floor: Floor, number: str) -> None:
    floor.clock.passes(minutes=2)
    asking = floor.act("sela")
    life.ask_to_destroy(asking, named(floor, number).pk, reason="Loaded; the police has seen it.")
    floor.approved(asking)


def received(floor: Floor, number: str) -> None:
    """Another set comes in its place: received, inspected, issued to every table."""
    delivery = life.Delivery(
        number=number, sides=8, count=3, colour="slate", supplier="Elm and Sons", reference="D-117"
    )
    receiving = floor.act("sela")
    life.receive(receiving, delivery)
    dice = life.new_id(receiving)
    floor.clock.passes(minutes=10)
    life.inspect(floor.act("sela"), dice, in_order=True, finding="Edges 16.00 mm, floats even.")
    life.issue(floor.act("sela"), dice, table=None)
