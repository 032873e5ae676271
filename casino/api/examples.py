"""Requests as they are sent, for the description."""

from typing import Final

from drf_spectacular.utils import OpenApiExample

OPENING: Final = [
    OpenApiExample(
        "Three players stake 25 coins each",
        {
            "command_id": "0197e3a0-5c1e-7b1e-9f6e-0d3b8a5c1e01",
            "table": "3f0d8a52-8a0e-4a57-9d0b-6f7d0f2b1c11",
            "game": "stone-hand",
            "players": ["Ada", "Bruno", "Cleo"],
            "stake": 25,
            "home_throw_policy": "fixed",
        },
        request_only=True,
    ),
    OpenApiExample(
        "Seats of their own, the house among them, with a fee",
        {
            "command_id": "0197e3a0-5c1e-7b1e-9f6e-0d3b8a5c1e02",
            "table": "3f0d8a52-8a0e-4a57-9d0b-6f7d0f2b1c11",
            "game": "stone-hand",
            "players": [{"name": "Ada", "stake": 40}, {"name": "Bank", "stake": 40, "house": True}],
            "options": {"mode": "pool"},
            "fee": {"kind": "rake", "percent": 5, "cap": 10},
            "occurred_at": "2026-01-31T21:05:00+01:00",
        },
        request_only=True,
    ),
]
COMMANDS: Final = [
    OpenApiExample(
        "One throw",
        {
            "command_id": "0197e3a0-5c1e-7b1e-9f6e-0d3b8a5c1e03",
            "do": "throw",
            "player": "Ada",
            "dice": [2, 2, 7],
        },
        request_only=True,
    ),
    OpenApiExample(
        "A list, as a device sends it that was offline",
        [
            {
                "command_id": "0197e3a0-5c1e-7b1e-9f6e-0d3b8a5c1e04",
                "do": "throw",
                "player": "Bruno",
                "dice": [1, 5, 5],
                "occurred_at": "2026-01-31T21:06:10+01:00",
            },
            {
                "command_id": "0197e3a0-5c1e-7b1e-9f6e-0d3b8a5c1e05",
                "do": "void",
                "back_to": 4,
                "reason": "The wrong player was tapped.",
                "occurred_at": "2026-01-31T21:06:40+01:00",
            },
        ],
        request_only=True,
    ),
]
