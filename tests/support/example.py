"""The example game as a house installs it: into an environment of its own, and out of it again."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Final

from tests.processes import ROOT

EXAMPLE: Final = ROOT / "examples" / "ship-captain-crew"
GAME: Final = "ship-captain-crew"
UV: Final = (sys.executable, "-m", "uv", "--quiet", "--offline", "--no-config")
BESIDE: Final = "import site; site.addsitedir({!r})\n"


def environment(folder: Path) -> Path:
    """
    The Python of a new environment: it has what this one has, and the example.

    Nothing is fetched: what the house itself needs is looked up where these tests have it.
    """
    _uv("venv", "--python", sys.executable, str(folder / "environment"))
    python = folder / "environment" / "bin" / "python"
    command = (str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))")
    own = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    (Path(own) / "house.pth").write_text(BESIDE.format(sysconfig.get_path("purelib")))
    shutil.copytree(EXAMPLE, folder / "source")
    installed(python)
    return python


def installed(python: Path) -> None:
    source = python.parents[2] / "source"
    options = ("--no-deps", "--no-build-isolation", "--no-cache")
    _uv("pip", "install", "--python", str(python), *options, str(source))


def taken_away(python: Path) -> None:
    _uv("pip", "uninstall", "--python", str(python), GAME)


def _uv(*arguments: str) -> None:
    subprocess.run((*UV, *arguments), check=True)
