"""Requests as they are sent, for the description: openings of all games, commands of all kinds."""

from __future__ import annotations

from typing import Any, Final

from drf_spectacular.utils import OpenApiExample

TABLE: Final = "3f0d8a52-8a0e-4a57-9d0b-6f7d0f2b1c11"
COMMITMENT: Final = "6b1f0d3c5a9e47820c41d7be93f2a65810dd4c7b2e9f03a1586cb7e4d92f10a3"
SALT: Final = "9f86d081884c7d659a2feaa0c55ad015"
BANKER: Final = {"d4": 2, "d6": 5, "d8": 7, "d10": 1, "d12": 9}
HOLE: Final = {"d4": 1, "d6": 1, "d8": 2, "d10": 8, "d12": 12}


def example(name: str, number: int, body: dict[str, Any]) -> OpenApiExample:
    return OpenApiExample(name, identified(number, body), request_only=True)


def identified(number: int, body: dict[str, Any]) -> dict[str, Any]:
    return {"command_id": f"0197e3a0-5c1e-7b1e-9f6e-{number:012x}", **body}


# fmt: off
OPENING: Final = [
    example("Stone hand: three players stake 25 coins each", 0x101, {
        "table": TABLE, "game": "stone-hand", "players": ["Ada", "Bruno", "Cleo"], "stake": 25,
        "home_throw_policy": "fixed",
    }),
    example("Seats of their own, the house among them, with a fee", 0x102, {
        "table": TABLE, "game": "stone-hand", "options": {"mode": "pool"},
        "players": [{"name": "Ada", "stake": 40}, {"name": "Bank", "stake": 40, "house": True}],
        "fee": {"kind": "rake", "percent": 5, "cap": 10},
        "occurred_at": "2026-01-31T21:05:00+01:00",
    }),
    example("Cinnabar Gate: a pool, with a home throw for this game", 0x103, {
        "table": TABLE, "game": "cinnabar-gate", "players": ["Ada", "Bruno", "Cleo"], "stake": 40,
        "home_throw": [1, 3, 6], "options": {"variant": "pool", "runs": "straight", "opal": 1},
    }),
    example("River: five dice at 10 coins", 0x104, {
        "table": TABLE, "game": "river", "price": 10, "options": {"tie": "rolloff", "min_raise": 2},
        "players": [{"name": "Ada", "stake": 80}, {"name": "Bruno", "stake": 60}],
    }),
    example("Threes Away: progressive, the first thrower drawn by lot", 0x105, {
        "table": TABLE, "game": "threes-away", "players": ["Ada", "Bruno", "Cleo"], "stake": 30,
        "first": "Cleo", "options": {"ante": 2, "progressive": "by_round", "bottoms": True},
    }),
    example("Dice Breaker: a battle for an ante", 0x106, {
        "table": TABLE, "game": "dice-breaker", "players": ["Ada", "Bruno"], "stake": 20,
        "options": {"mode": "battle", "ante": 5, "target": 33},
    }),
]
COMMANDS: Final = [
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
    example("Threes Away: thrown with bottoms called, and what is kept", 0x207, {
        "do": "throw", "player": "Ada", "dice": [4, 4, 6, 1, 2], "keep": [4, 4], "bottoms": True,
    }),
    example("Threes Away: what is kept, as a command of its own", 0x208, {
        "do": "keep", "player": "Ada", "dice": [3, 3],
    }),
    example("Dice Breaker: the starting die", 0x209, {
        "do": "break_start", "player": "Ada", "value": 2,
    }),
    example("Dice Breaker: a die that breaks one, knocks one out, and is seen to spin", 0x20A, {
        "do": "throw", "player": "Ada", "die": "Ada3", "value": 5,
        "breaks": [{"die": "Bruno1", "value": 2}], "out": ["Bruno4"], "spinning": True,
    }),
    example("Dice Breaker: a die caught in mid-air", 0x20B, {
        "do": "throw", "player": "Ada", "die": "Ada4", "value": 1,
        "caught": [{"die": "Bruno2", "by": "Bruno"}],
    }),
    example("River: the dice are sold", 0x20C, {"do": "start_round", "price": 10}),
    example("River: a hand is sealed, with a commitment", 0x20D, {
        "do": "seal", "player": "Ada", "commitment": COMMITMENT,
    }),
    example("River: the banker's dice", 0x20E, {"do": "offer", "dice": BANKER}),
    example("River: a bid", 0x20F, {"do": "bid", "player": "Ada", "die": "d8", "amount": 4}),
    example("River: no further bid of this player", 0x210, {
        "do": "pass", "player": "Bruno", "die": "d8",
    }),
    example("River: the hammer", 0x211, {
        "do": "sell", "die": "d8", "player": "Ada", "amount": 4,
    }),
    example("River: a lot without a bid", 0x212, {"do": "withdraw", "die": "d10"}),
    example("River: the reveal", 0x213, {
        "do": "reveal", "player": "Ada", "dice": HOLE, "salt": SALT,
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
]
# fmt: on
