"""Examples of requests for the API's description: openings of all games, commands of all kinds."""

from __future__ import annotations

from typing import Any, Final

from drf_spectacular.utils import OpenApiExample

from casino.kit.web.api import of_games

TABLE: Final = "3f0d8a52-8a0e-4a57-9d0b-6f7d0f2b1c11"


def example(name: str, number: int, body: dict[str, Any]) -> OpenApiExample:
    return OpenApiExample(name, identified(number, body), request_only=True)


def identified(number: int, body: dict[str, Any]) -> dict[str, Any]:
    return {"command_id": f"0197e3a0-5c1e-7b1e-9f6e-{number:012x}", **body}


def number(each: OpenApiExample) -> str:
    """The id that its command has, the first of several."""
    body = each.value[0] if isinstance(each.value, list) else each.value
    return str(body["command_id"])


# fmt: off
OPENING: Final = [
    example(each.title, each.number, body) for each, body in of_games.openings(TABLE)
]
OF_ALL_GAMES: Final = [
    example("One throw", 0x201, {"do": "throw", "player": "Ada", "dice": [2, 2, 7]}),
    OpenApiExample(
        "A list, as a device sends it that was offline",
        [
            identified(0x202, {
                "do": "throw", "player": "Bruno", "dice": [1, 5, 5],
                "occurred_at": "2026-01-31T21:06:10+01:00",
            }),
            identified(0x203, {
                "do": "void", "back_to": 4, "reason": "The wrong player was tapped.",
                "occurred_at": "2026-01-31T21:06:40+01:00",
            }),
        ],
        request_only=True,
    ),
    example("The attendant throws for the home throw", 0x204, {
        "do": "throw_home", "dice": [1, 5, 8],
    }),
    example("A hand that might be thrown again stands", 0x205, {"do": "stand", "player": "Ada"}),
    example("A cocked die", 0x206, {
        "do": "no_throw", "player": "Ada", "reason": "cocked", "dice": [3, 3, 8],
        "note": "It leaned on the rim.",
    }),
    example("Somebody joins, with what they stake", 0x214, {
        "do": "join", "player": "Dora", "stake": 30,
    }),
    example("Somebody leaves", 0x215, {"do": "leave", "player": "Dora"}),
    example("More money for a player", 0x216, {"do": "buy_in", "player": "Ada", "amount": 20}),
    example("Cash for who plays no longer", 0x217, {
        "do": "cash_out", "player": "Dora", "amount": 30,
    }),
    example("A second person approves a void", 0x218, {"do": "approve", "request": 12}),
    example("... or does not", 0x219, {
        "do": "reject", "request": 12, "reason": "The camera shows a seven.",
    }),
    example("The sitting ends", 0x21A, {"do": "close", "reason": "Closing time."}),
    example("A break", 0x21B, {"do": "pause", "note": "A die is on the floor."}),
    example("Play goes on", 0x21C, {"do": "resume"}),
    example("The table is offered to another attendant; who takes it sends the same", 0x21D, {
        "do": "handover", "to": "8d7a3c52-1f0e-4b57-9d0b-6f7d0f2b1c12",
    }),
    example("Other dice, between rounds", 0x21E, {
        "do": "change_dice", "dice_set": "1c2d8a52-8a0e-4a57-9d0b-6f7d0f2b1c13",
        "reason": "One is chipped.",
    }),
    example("A second person saw a payout: the first payment of event 12", 0x21F, {
        "do": "witness", "payout": "12.0",
    }),
    example("A round is disputed", 0x220, {
        "do": "dispute", "round": 3, "reason": "Ada says the seven was a one.",
    }),
    example("... or a payout of it, by the command that brought it about", 0x221, {
        "do": "dispute", "payout": "0197e3a0-5c1e-7b1e-9f6e-000000000201",
        "reason": "Bruno was paid twice.",
    }),
    example("A second person decides a dispute", 0x222, {
        "do": "resolve", "dispute": 14, "outcome": "stands", "reason": "The camera shows a seven.",
    }),
    example("An entry is changed in place, and what came after it entered again", 0x223, {
        "do": "void", "back_to": 9, "reason": "wrong face",
        "instead": {"do": "buy_in", "player": "Ada", "amount": 5},
    }),
    example("Something was left out before it", 0x224, {
        "do": "void", "back_to": 9, "reason": "something left out", "before": True,
        "instead": {"do": "leave", "player": "Dora"},
    }),
]
# fmt: on
OF_SOME: Final = [example(each.title, each.number, dict(each.body)) for each in of_games.commands()]
COMMANDS: Final = sorted([*OF_ALL_GAMES, *OF_SOME], key=number)
"""By their numbers."""
