"""
The house's code as it was before: the oldest of late that knows the same tables.

An upgrade migrates first, and then restarts one program after the other
(docs/how-to/production.md): for a while those of the day before are at work beside those of today,
on today's tables.
"""

from __future__ import annotations

import io
import subprocess
import tarfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

CODE = ("casino", "games", "ledger")
TABLES = ("**/migrations/*", "**/sql/*")
LOOKS_BACK = 60  # commits


def commit(repository: Path) -> str | None:
    """None where there is none such, or no history at all, as where the source was unpacked."""
    found = None
    for each in _git(repository, "rev-list", f"--max-count={LOOKS_BACK}", "HEAD").split():
        if not _differs(repository, each, *TABLES, moves=False) and _differs(
            repository, each, *CODE
        ):
            found = each
    return found


def unpacked(repository: Path, at: str, to: Path) -> Path:
    """The whole tree of a commit, in a folder of its own."""
    packed = subprocess.run(
        ["git", "archive", at],
        cwd=repository,
        check=True,
        capture_output=True,
    )
    with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as tree:
        if hasattr(tarfile, "data_filter"):  # Python 3.11.2 of Debian 12 has none
            tree.extraction_filter = tarfile.data_filter
        tree.extractall(to)  # noqa: S202 - of our own repository
    return to


def _differs(repository: Path, commit: str, *paths: str, moves: bool = True) -> bool:
    """
    Whether what stands there now is something else than at the commit.

    :param moves: whether a file counts that only moved, with the modules that it names.
    """
    patterns = [f":(glob){path}" if "*" in path else path for path in paths]
    but = (
        ("--find-renames=50%", "-l0", "--diff-filter=AMDT", r"--ignore-matching-lines=casino\.")
        if not moves
        else ()
    )
    return bool(_git(repository, "diff", "--numstat", *but, commit, "--", *patterns))


def _git(repository: Path, *command: str) -> str:
    try:
        done = subprocess.run(
            ["git", *command],
            cwd=repository,
            check=False,
            capture_output=True,
            text=True,
        )
    except OSError:
        return ""
    return done.stdout if done.returncode == 0 else ""
