"""The equation of a game's pot, and what changes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from casino.money.payouts import pot_equation as pots
from tests.support.playing import done, nobody_undoes_alone, settled

if TYPE_CHECKING:
    import uuid

    from casino.money.payouts.pot_equation import Equation
    from tests.support.builders import House


def equation(house: House, game: uuid.UUID) -> Equation:
    return pots.of_game(house.id, game)


def void(house: House, game: uuid.UUID, back_to: int) -> None:
    nobody_undoes_alone(house)
    [requested] = done(house, game, "void", back_to=back_to, reason="Misread.")
    done(house, game, "approve", by=house.supervisor, request=requested.data["request"])
    settled(house)
