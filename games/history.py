"""The events of a game that count: those that a void cancelled are left out (G4)."""

from collections.abc import Iterable

from games.messages import Fact, TableEvent, Voided

Numbered = tuple[int, Fact]


def live(history: Iterable[Numbered]) -> list[Numbered]:
    """The events that count: without voids, cancelled events and table events."""
    standing: list[Numbered] = []
    for number, event in history:
        if isinstance(event, Voided):
            while standing and standing[-1][0] >= event.back_to:
                standing.pop()
        elif not isinstance(event, TableEvent):
            standing.append((number, event))
    return standing


def house_seats(standing: Iterable[Numbered]) -> frozenset[str]:
    """The players whose stake is the house's own (G8), according to the events that count."""
    return frozenset(each.player for _, event in standing for each in event.buy_ins if each.house)
