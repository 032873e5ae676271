"""A slider's marks as inline SVG: where rounds begin, what was voided, who was paid."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from casino.proof.search.as_of import Marks

WIDE: Final = 1000.0  # units, from the first event to the last
THUMB: Final = 12.0  # half the width of the slider's knob, by which its ends are inset


def slider(least: int, most: int, value: int, found: Marks) -> dict[str, Any]:
    """The template context of a slider. Marks that would overlap are drawn once."""

    def place(number: int) -> float:
        span = max(1, most - least)
        return round(THUMB + (WIDE - 2 * THUMB) * (number - least) / span, 1)

    return {
        "least": least,
        "most": most,
        "value": value,
        "wide": int(WIDE),
        "rounds": sorted({place(number) for _round, number in found.rounds}),
        "payouts": sorted({place(number) for number in found.payouts}),
        "voided": [
            {"x": x, "wide": max(2.0, round(end - x, 1))}
            for x, end in sorted({(place(back_to), place(void)) for void, back_to in found.voids})
        ],
    }
