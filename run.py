#!/usr/bin/env python3
"""
Two commands, each all the set-up there is:

    python3 run.py                     run the house
    python3 run.py test [pytest ...]   check and test everything, or only what pytest is asked for

Builds .venv from the locked requirements when it is missing or stale, then hands over. Standard
library only, and syntax that Python 3.6 still parses: an old Python gets a sentence, no traceback.
"""

import argparse
import errno
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

if sys.version_info < (3, 11):  # noqa: UP036 - whoever has an older one reads this sentence
    sys.exit("Home Throw needs Python 3.11 or later; this is {}.{}.".format(*sys.version_info[:2]))

from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMP = VENV / "home-throw.json"
BASE_PYTHON = getattr(sys, "_base_executable", None) or sys.executable  # never the one in .venv
PLAIN, DEVELOPMENT = "requirements.lock", "requirements-dev.lock"
INSTALL = ["install", "--quiet", "--no-input", "--disable-pip-version-check"]
# The lock names every package, so nothing is to resolve; modules compile when first imported.
LOCKED = ["--no-deps", "--no-compile", "--require-hashes", "--requirement"]
LOCK_LINE = re.compile(  # a package, and where it is wanted; a hash of it; why it is there
    r"[A-Za-z0-9._-]+==[^ ;\\]+( ; [^\\]+)?( \\)?"
    r"|    --hash=sha256:[0-9a-f]{64}( \\)?"
    r"| *#.*|"
)
DISK_FULL = (
    "The disk is full: Home Throw needs 150 MB here. The next start goes on from the beginning."
)
ROOM = 64 * 2**20  # bytes; what the modules come to, compiled
NO_PIP = "This Python cannot make environments. On Debian or Ubuntu: apt install python3-venv"


def main(arguments: list[str]) -> NoReturn:
    if arguments[:1] == ["test"]:
        prepare(DEVELOPMENT)
        hand_over(["-m", "tests", *arguments[1:]])
    asked = parser().parse_args(arguments)
    prepare(PLAIN)
    flags = [f"--{name}" for name in ("lan", "demo", "quiet") if getattr(asked, name)]
    hand_over(["manage.py", "up", f"--port={asked.port}", *flags])


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        usage="run.py [--port N] [--lan [--demo]] [--quiet]\n"
        "       run.py test [pytest arguments ...]",
        description="Run the house, or check and test everything.",
    )
    parser.add_argument("--port", type=int, default=8000, help="where to listen (default 8000)")
    parser.add_argument("--lan", action="store_true", help="let other devices in the house connect")
    parser.add_argument("--demo", action="store_true", help="with --lan: to the demo house, too")
    quiet = "no table of the demo house plays by itself"
    parser.add_argument("--quiet", action="store_true", help=quiet)
    return parser


def hand_over(arguments: list[str]) -> NoReturn:
    """Become the program asked for: one process, its signals and exit status are its own."""
    os.chdir(ROOT)
    if shutil.disk_usage(ROOT).free < ROOM:
        # Python would leave half of a compiled module behind, and stumble over it ever after.
        os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    sys.stdout.flush()
    os.execv(PYTHON, [str(PYTHON), *arguments])  # noqa: S606 - our own program, no shell wanted


def prepare(lock: str) -> None:
    """Have a .venv that holds what the lock names; a development install holds the plain one."""
    if lock in installed():
        return
    check(lock)
    try:
        with alone():
            if lock not in installed():  # another start may have done it while this one waited
                build(lock)
    except OSError as error:
        if error.errno == errno.ENOSPC:
            sys.exit(DISK_FULL)
        sys.exit(
            f"Cannot write {error.filename or VENV}: {error.strerror or error}. "
            "Put Home Throw into a folder that you may write to."
        )
    except KeyboardInterrupt:
        sys.exit("\nStopped. The next start begins the installation again.")


def check(lock: str) -> None:
    """A lock that is half a file, or two with marks of a merge, installs half a house."""
    for name in {PLAIN, lock}:
        try:
            lines = (ROOT / name).read_text(encoding="ascii").splitlines()
        except (OSError, ValueError):
            sys.exit(f"{name} is missing or cannot be read: fetch Home Throw's files anew.")
        for number, line in enumerate(lines, start=1):
            cut_off = number == len(lines) and line.endswith("\\")
            if cut_off or not LOCK_LINE.fullmatch(line):
                sys.exit(
                    f"{name} is damaged, at line {number}. Fetch it anew, as with: "
                    f"git checkout -- {name}"
                )


def build(lock: str) -> None:
    if installed():
        STAMP.unlink()  # an interrupted install must not look complete
    else:
        make_environment()
    print(f"Installing {lock} into .venv (needed once) ...", flush=True)
    install(lock)
    # The development lock is made under the plain one: whoever has it has both.
    held = [PLAIN] if lock == PLAIN else [PLAIN, DEVELOPMENT]
    STAMP.write_text(json.dumps({**identity(held), "packages": packages()}), encoding="ascii")


def installed() -> list[str]:
    """The locks that .venv satisfies by its stamp; none if it is missing, half, moved or stale."""
    try:
        found = json.loads(STAMP.read_text(encoding="ascii"))
        held = [name for name in found["locks"] if found["locks"][name] == digest(name)]
        whole = set(found.pop("packages")) <= set(packages())
        same = {**found, "locks": {}} == identity([]) and whole and PYTHON.exists()
    except (OSError, ValueError, LookupError, TypeError):
        return []
    return held if same and PLAIN in held else []


def packages() -> list[str]:
    """What is installed: an environment that has lost some of it is none."""
    return sorted(each.name for each in VENV.glob("lib/python*/site-packages/*.dist-info"))


def identity(locks: list[str]) -> dict[str, object]:
    """What must not change under an environment: its Python, its place, what it was made from."""
    hashes = {name: digest(name) for name in locks}
    return {"python": sys.version, "location": str(ROOT), "locks": hashes}


def digest(name: str) -> str:
    return hashlib.sha256((ROOT / name).read_bytes()).hexdigest()


@contextmanager
def alone() -> Iterator[None]:
    """Of two first starts at the same time the second waits for the first."""
    import fcntl  # noqa: PLC0415 - later starts do without

    with (ROOT / PLAIN).open(encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def make_environment() -> None:
    """An environment without a pip of its own: an installer from outside saves its 3 seconds."""
    if VENV.is_symlink() or VENV.is_file():
        VENV.unlink()
    elif VENV.exists():
        shutil.rmtree(VENV)
    VENV.mkdir()
    made = quietly([BASE_PYTHON, "-m", "venv", "--without-pip", str(VENV)])
    if made.returncode != 0:
        stop_if_full(made.stderr)
        sys.exit(NO_PIP if "No module named" in made.stderr else f"venv: {made.stderr.strip()}")


def install(lock: str) -> None:
    """By uv where there is one; if it fails (it does not read pip's settings) or is absent, pip."""
    requirements = str(ROOT / lock)
    uv = shutil.which("uv")
    if uv:
        hashed = ["--require-hashes", "--requirement", requirements]
        if quietly([uv, "pip", "install", "--python", str(PYTHON), *hashed]).returncode == 0:
            return
    done = quietly([*pip(), *INSTALL, *LOCKED, requirements])
    if done.returncode != 0:
        stop_if_full(done.stderr)
        problem = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
        print(*(problem or done.stderr.splitlines())[-5:], sep="\n", file=sys.stderr)
        sys.exit(f"Could not install {lock}: see above. Is the package index within reach?")


def stop_if_full(said: str) -> None:
    if os.strerror(errno.ENOSPC) in said:
        sys.exit(DISK_FULL)


def pip() -> list[str]:
    """The pip of this Python, which from 22.3 on installs into other environments; or a new one."""
    there = quietly([BASE_PYTHON, "-c", "import pip; print(pip.__version__)"])
    version = [int(part) for part in there.stdout.split(".")[:2] if part.strip().isdigit()]
    if version >= [22, 3]:
        return [BASE_PYTHON, "-m", "pip", "--python", str(PYTHON)]
    if quietly([str(PYTHON), "-m", "ensurepip"]).returncode != 0:
        sys.exit(NO_PIP)
    return [str(PYTHON), "-m", "pip"]


def quietly(command: list[str]) -> "subprocess.CompletedProcess[str]":
    # A `user = true` among pip's settings would send packages past the environment.
    environment = {**os.environ, "PIP_USER": "0"}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


if __name__ == "__main__":
    main(sys.argv[1:])
