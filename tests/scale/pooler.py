"""
A real PgBouncer in transaction mode before a real PostgreSQL, for as long as it is needed.

    python -m tests.scale.pooler -- pytest tests/ledger

runs a command with ``DATABASE_URL`` set to it, as `tests.services` does without it.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

from tests import services

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

MISSING = "no PgBouncer found. As root: apt-get install -y pgbouncer (or name one in PGBOUNCER)"
SETTINGS = """
[databases]
* = host={host} port={port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {own}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = {folder}/users
auth_user = {user}
auth_query = SELECT rolname, rolpassword FROM pg_authid WHERE rolname = $1
admin_users = {user}
pool_mode = transaction
default_pool_size = {sessions}
max_client_conn = 500
server_idle_timeout = 1
server_lifetime = 60
query_wait_timeout = 20
"""
IN_TURN = "server_round_robin = 1\n"  # by default the session used last is lent first


def program() -> str | None:
    """Debian has it in /usr/sbin, which is not on everybody's path."""
    return shutil.which(
        os.environ.get("PGBOUNCER") or "pgbouncer", path=f"{os.environ['PATH']}:/usr/sbin"
    )


@contextmanager
def transaction_mode(server: str, *, sessions: int = 12, in_turn: bool = True) -> Iterator[str]:
    """
    The address of a pooler before a server, for the server's own roles.

    :param server: the address of the server, of its superuser.
    :param sessions: how many the pooler has for each role and database.
    :param in_turn: lend them in turn, so that nobody gets the same one twice.
    :raises NotStarted: if there is no PgBouncer, or it does not come up.
    """
    if (pgbouncer := program()) is None:
        raise services.NotStarted(MISSING)
    at, own = urlsplit(server), services.free_port()
    with services._folder("pgbouncer-") as folder:
        # Of other roles it asks the server what is stored of their passwords.
        (folder / "users").write_text(f'"{at.username}" "{at.password}"\n')
        words = SETTINGS.format(
            host=at.hostname,
            port=at.port,
            own=own,
            folder=folder,
            sessions=sessions,
            user=at.username,
        )
        (folder / "pgbouncer.ini").write_text(words + (IN_TURN if in_turn else ""))
        command = [pgbouncer, str(folder / "pgbouncer.ini")]
        with _running(command, folder):
            login = at.netloc.rpartition("@")[0]
            yield urlunsplit(at._replace(netloc=f"{login}@127.0.0.1:{own}"))


@contextmanager
def _running(command: Sequence[str], folder: Path) -> Iterator[None]:
    log = folder / "log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, cwd=folder, stdout=output, stderr=output, start_new_session=True,
            **services._identity(),
        )  # fmt: skip
    try:
        _wait_for(process, log)
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(services.PATIENCE)


def _wait_for(process: subprocess.Popen[bytes], log: Path) -> None:
    from tests.processes import eventually  # noqa: PLC0415 - pytest is not needed to run a command

    try:
        eventually(lambda: b"process up" in log.read_bytes(), log=log)
    except AssertionError as error:
        raise services.NotStarted(f"{process.args!r}: {error}") from error


def environment(server: str, pooled: str) -> dict[str, str]:
    """The variables of a house whose database is reached by a pooler."""
    return {
        "DATABASE_URL": pooled, "DATABASE_DIRECT_URL": server, "DATABASE_POOLER": "transaction",
    }  # fmt: skip


def main(arguments: Sequence[str]) -> int:
    with (
        services.postgresql() as server,
        transaction_mode(server) as pooler,
        services.redis() as redis,
    ):
        return services.run_within(arguments, **environment(server, pooler), REDIS_URL=redis)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
