"""
Two public generators of clients, installed once a machine and kept outside the repository.

    python -m tests.clients.tools

says where they are. It takes pip and npm with their indexes (PyPI, npm). Which versions, the files
in `tests/clients/programs` say.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

PROGRAMS: Final = Path(__file__).parent / "programs"
PINNED: Final = ("requirements.txt", "package.json", "package-lock.json")
MISSING: Final = "no {program}. As root: apt-get install -y nodejs npm (Node.js 20 or later)"


class NotInstalled(RuntimeError):  # noqa: N818 - names the fact
    """The generators could not be installed here; the message says why and what is needed."""


@dataclass(frozen=True, slots=True)
class Tools:
    """:param folder: an environment of Python in ``python``, packages of npm in node_modules."""

    folder: Path

    def python(self, program: str) -> str:
        return str(self.folder / "python" / "bin" / program)

    def node(self, program: str) -> str:
        return str(self.modules / ".bin" / program)

    @property
    def modules(self) -> Path:
        return self.folder / "node_modules"


def found() -> Tools:
    """
    The generators; they are installed if this machine has none of these versions yet.

    :raises NotInstalled: with the reason.
    """
    kept = _kept()
    if not (kept / "complete").exists():
        _install(kept)
    return Tools(kept)


def _kept() -> Path:
    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    pinned = b"".join((PROGRAMS / name).read_bytes() for name in PINNED)
    version = "{}.{}".format(*sys.version_info)
    return caches / "home-throw" / f"clients-{version}-{hashlib.sha256(pinned).hexdigest()[:16]}"


def _install(kept: Path) -> None:
    for program in ("node", "npm"):
        if shutil.which(program) is None:
            raise NotInstalled(MISSING.format(program=program))
    kept.mkdir(parents=True, exist_ok=True)
    for name in PINNED:
        shutil.copy(PROGRAMS / name, kept)
    _run(kept, sys.executable, "-m", "venv", "--clear", "python")
    _run(kept, "python/bin/python", "-m", "pip", "install", "-q", "-r", "requirements.txt")
    _run(kept, "npm", "ci", "--no-audit", "--no-fund")
    (kept / "complete").touch()


def _run(folder: Path, *command: str) -> None:
    with tempfile.TemporaryFile("w+") as said:
        done = subprocess.run(command, cwd=folder, stdout=said, stderr=said, check=False)
        said.seek(0)
        if done.returncode:
            raise NotInstalled(f"{' '.join(command)}: {said.read()[-2000:]}")


if __name__ == "__main__":
    try:
        sys.stdout.write(f"{found().folder}\n")
    except NotInstalled as why:
        raise SystemExit(str(why)) from None
