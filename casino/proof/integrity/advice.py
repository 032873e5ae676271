"""
Sentences that say what to do next when something is wrong with a house's proof, the same in health,
the office and commands. backup.md, checkpoints.md and verify.md in docs/how-to/ say more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from casino.engine.processes.command import CALLED

if TYPE_CHECKING:
    from uuid import UUID

RESUME: Final = (
    "Two people resume payouts: one asks on the office's page Payouts, another approves it. E2"
)
VERIFY: Final = (
    "Keep the database as it is and look at what was found (the office's page Proof;"
    " docs/how-to/verify.md says what it means). When it is put right, verify once more there: then"
    " it is signed again."
)
CUT_OFF: Final = (
    "If nobody restored a backup, the book was cut off at its end: stop the house, keep the"
    " database as it is, and restore the newest backup."
)


def open_epoch(establishment: UUID, file: object = "FILE") -> str:
    """The command line that records the loss of events."""
    return (
        f"{CALLED} open_epoch --establishment {establishment} --checkpoint {file} --reason WHY"
        " --by MANAGER"
    )


def after_restore(establishment: UUID) -> str:
    return (
        "If a backup was restored, open a new epoch, which names what was lost:"
        f" {open_epoch(establishment)} (FILE: the newest checkpoint that anybody has). {CUT_OFF}"
    )
