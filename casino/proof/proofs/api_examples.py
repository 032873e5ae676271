"""Example answers for the API's description, with valid proofs of a ledger of three events."""

from __future__ import annotations

from typing import Any, Final

from drf_spectacular.utils import OpenApiExample

from casino.kit.web.api.problems import MEDIA_TYPE

ORIGIN: Final = "home-throw.local/3f0d8a52-8a0e-4a57-9d0b-6f7d0f2b1c11"
VKEY: Final = f"{ORIGIN}+8450ad88+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4"
ROOT: Final = "LP73YnWX4AtWSXV3Stco7yEHBnWfym1kE4xt/By/LNo="
ROOT_OF_TWO: Final = "O63IBTfwKeG7dygNyFIDzy7ZdI3I9XEjD8ulwybJEGg="
FIRST: Final = "+UBwq/0toL9ykC6xOoCOeU+VTZ4nRcaCoVj27Q1KwDY="
THIRD: Final = "PR3ndt8IbBrp9wSdK7DAR1rRQYX5h+Bk6NENyy20oyI="
CHAIN: Final = "lhr2ctMgv7gOSC7fngkpMLErbxDyisSRPR1kxJIZ2mg="
SIGNATURE: Final = (
    "hFCtiBDm4cNYV3EyRWPAhyqf1snrUNrqi7u1iWemlGK3chLkQdnLvVmt9WgBUdyq3ySx6QuFwPlc9JMZVMM0KrjLYgE="
)
NOTE: Final = f"{ORIGIN}\n3\n{ROOT}\nreceipts 1 {CHAIN}\n\n\N{EM DASH} {ORIGIN} {SIGNATURE}\n"
RECEIPT: Final = f"c2sp.org/tlog-proof@v1\nextra eyJuIjoxfQ==\nindex 1\n{FIRST}\n{THIRD}\n\n{NOTE}"
LINK: Final = f"old 2\n{THIRD}\n\n{NOTE}"
LEAF: Final = "fb5d93e6cf90bc9470cd9ea9d9e12348993db3e854ab2b7660e3594767045f6c"


def pair(name: str, answer: dict[str, Any], file: str) -> list[OpenApiExample]:
    """An answer as JSON and as a file, and what is said where nothing covers it yet."""
    problem = {
        "type": "urn:home-throw:problem:not_covered",
        "title": "Not covered",
        "status": 404,
        "detail": "No checkpoint covers position 3 yet: ask again in some seconds.",
        "code": "not_covered",
    }
    return [
        OpenApiExample(name, answer, response_only=True, status_codes=["200"]),
        OpenApiExample(
            f"{name}, as a file",
            file,
            response_only=True,
            status_codes=["200"],
            media_type="text/plain",
        ),
        OpenApiExample(
            "not_covered",
            problem,
            response_only=True,
            status_codes=["404"],
            media_type=MEDIA_TYPE,
        ),
    ]


CHECKPOINT: Final = pair(
    "Three events",
    {
        "origin": ORIGIN, "epoch": 1, "size": 3, "root": ROOT, "receipts": 1, "note": NOTE,
        "signed_at": "2026-01-31T20:05:03Z", "keys": [VKEY],
    },
    NOTE,
)  # fmt: skip
PROVEN: Final[dict[str, Any]] = {
    "index": 1, "size": 3, "leaf_hash": LEAF, "root": ROOT, "hashes": [FIRST, THIRD],
    "checkpoint": NOTE, "receipt": RECEIPT,
}  # fmt: skip
PROOF: Final = pair("The second of three events", PROVEN, RECEIPT)
PAYOUT: Final = pair(
    "The booking of a payout",
    {**PROVEN, "check": f"https://house.example/ledger/{ORIGIN.partition('/')[2]}/1/{LEAF}/"},
    RECEIPT,
)
CONSISTENCY: Final = pair(
    "Three events continue two",
    {
        "from": 2, "to": 3, "hashes": [THIRD],
        "roots": [{"size": 2, "root": ROOT_OF_TWO}, {"size": 3, "root": ROOT}], "link": LINK,
    },
    LINK,
)  # fmt: skip
