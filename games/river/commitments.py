"""
Commitments, which tie a player to dice that nobody has seen yet (RV2).

A commitment is the lowercase hex SHA-256 of the ASCII text ``salt:d4,d6,d8,d10,d12``. The salt is
made at random on the player's own device. Five dice can fall in only 23 040 ways, so a short salt
could be found by trying, and the dice with it. No error message here names a face.
"""

import re
from hashlib import sha256
from typing import Final

from games.dice import Dice
from games.refusals import Refused

DIGEST: Final = re.compile(r"[0-9a-f]{64}")
SALT: Final = re.compile(r"[0-9a-fA-F]{32,}")


class BadCommitment(Refused):
    code = "bad_commitment"


class CommitmentUsed(Refused):
    code = "commitment_used"


class BadSalt(Refused):
    code = "bad_salt"


class SaltMissing(Refused):
    code = "salt_missing"


class NoCommitment(Refused):
    code = "no_commitment"


class CommitmentBroken(Refused):
    code = "commitment_broken"


def commitment(salt: str, dice: Dice) -> str:
    """:param dice: the faces of d4, d6, d8, d10, d12."""
    return sha256(f"{salt}:{','.join(map(str, dice))}".encode("ascii")).hexdigest()


def well_formed(given: str | None) -> None:
    """:raises BadCommitment: if `given` cannot be such a hash."""
    if given is not None and DIGEST.fullmatch(given) is None:
        raise BadCommitment("commitment: 64 lowercase hex digits, a SHA-256. RV2")


def check_commitment(player: str, given: str | None, salt: str | None, dice: Dice) -> None:
    """
    Check that the dice are those that were sealed, as far as a commitment shows this.

    :param given: the commitment of the seal; None: there was none.
    :raises Refused: with a message that says nothing about the dice.
    """
    if given is None:
        if salt is not None:
            raise NoCommitment(f"salt: {player} sealed without a commitment. RV2")
        return
    if salt is None:
        raise SaltMissing(f"salt is missing: {player} sealed with a commitment. RV2")
    if SALT.fullmatch(salt) is None:
        raise BadSalt("salt: 32 hex digits or more, those that the commitment was made with. RV2")
    if commitment(salt, dice) != given:
        raise CommitmentBroken(
            f"dice, salt: not what {player} committed to; look at dice and salt again. RV2"
        )
