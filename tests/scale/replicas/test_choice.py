"""The rules of what is read where, as rows; and positions as browsers hold them."""

from __future__ import annotations

import pytest

from casino.engine.scale.replicas import servers
from casino.engine.scale.replicas.servers import GAP_MAX, NEAR, Position, Where, lacks_own, where

pytestmark = pytest.mark.once
HERE, ELSEWHERE = 7_000_000_000_000_000_001, 7_000_000_000_000_000_002


def at(lsn: int, system: int = HERE) -> Position:
    return Position(system, lsn)


# fmt: off
ROWS = [
    # seen,        the replica's,        patient,  where
    (at(100),      at(100),              True,     Where.REPLICA),
    (at(100),      at(101),              False,    Where.REPLICA),
    # One byte less than what was seen is less.
    (at(100),      at(99),               False,    Where.BEHIND),
    (at(100),      at(99),               True,     Where.WAIT),
    (at(NEAR),     at(0),                True,     Where.WAIT),
    # Nobody waits for what is far.
    (at(NEAR + 1), at(0),                True,     Where.BEHIND),
    # What somebody has seen is known, or the page is the primary's.
    (None,         at(1 << 40),          True,     Where.UNKNOWN),
    (None,         None,                 True,     Where.UNKNOWN),
    (at(100),      None,                 True,     Where.DOWN),
    # Positions of two clusters say nothing of each other.
    (at(100),      at(900, ELSEWHERE),   True,     Where.FOREIGN),
    (at(100),      at(50, ELSEWHERE),    True,     Where.FOREIGN),
]
MISSING = [
    # who recorded what the replica lacks,  whether "ines" lacks something of her own
    ([],                                    False),
    (["orso", "settlement"],                False),
    (["orso", "ines"],                      True),
    (["orso"] * GAP_MAX,                    False),
    # So much is missing that nobody looked at all of it.
    (["orso"] * (GAP_MAX + 1),              True),
]
UNSIGNED = ["", "x", "7-10", "7-10:", f"{servers.sign(at(16))}0", servers.SIGNER.sign("7-1g")]
# fmt: on


@pytest.mark.parametrize(("seen", "replica", "patient", "found"), ROWS)
def test_a_replica_is_read_by_whoever_has_seen_no_more_than_it_has(
    seen: Position | None,
    replica: Position | None,
    patient: bool,  # noqa: FBT001 - a row
    found: Where,
) -> None:
    assert where(seen, replica, patient=patient) is found


@pytest.mark.parametrize(("missing", "lacks"), MISSING)
def test_whoever_recorded_what_it_lacks_does_not_read_it(
    missing: list[str],
    lacks: bool,  # noqa: FBT001 - a row
) -> None:
    assert lacks_own(missing, "ines") is lacks


def test_a_position_is_held_signed_and_written_as_postgresql_writes_it() -> None:
    one = at(0x1_016B_3748)

    assert servers.read_signed(servers.sign(one)) == one
    assert str(one) == "1/16B3748"


@pytest.mark.parametrize("text", UNSIGNED)
def test_nobody_makes_a_position_of_their_own(text: str) -> None:
    assert servers.read_signed(text) is None
