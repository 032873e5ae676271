"""PostgreSQL's own pgbench, if this machine has it: single-row INSERTs, ``-M prepared``."""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from psycopg.conninfo import conninfo_to_dict

RAW = "bench_raw"  # the ledger's columns, with only a primary key
KEYED = "bench_keyed"  # the same, with all of its keys, indexes and checks
RAW_TABLE = (
    f"CREATE TABLE {RAW} (LIKE ledger_event)",
    f"ALTER TABLE {RAW} ADD PRIMARY KEY (establishment, position)",
    "CREATE SEQUENCE bench_position MINVALUE 0",
)
DEBIAN = "/usr/lib/postgresql"
ABSENT = (
    "pgbench is not on this machine (neither on PATH nor under /usr/lib/postgresql; Debian has it"
    " in the package postgresql-15 or later): measured beside the psycopg loop instead"
)
INSERT = """
    INSERT INTO {table} (
        establishment, position, event_id, stream, stream_version, event_type, schema_version,
        command_id, command_seq, actor, device, correlation_id, causation_id, occurred_at,
        recorded_at, gaming_day, body, leaf_hash)
    VALUES (
        '00000000-0000-0000-0000-000000000001', nextval('bench_position'), gen_random_uuid(),
        :stream, currval('bench_position'), :event_type, 1,
        gen_random_uuid(), 0, :actor, :device, gen_random_uuid(), NULL, now(),
        now(), current_date, :body ::bytea, :leaf_hash ::bytea);
"""
RATE = re.compile(r"^tps = ([0-9.]+) ", re.MULTILINE)
PATIENCE = 30.0  # seconds in addition to the measuring time


def find() -> Path | None:
    there = shutil.which("pgbench") or max(Path(DEBIAN).glob("*/bin/pgbench"), default=None)
    return Path(there) if there else None


def version(program: Path) -> str:
    done = subprocess.run([program, "--version"], check=True, capture_output=True, text=True)
    return done.stdout.strip()


def rate(  # noqa: PLR0913  as pgbench's own options
    program: Path, *, address: str, table: str, sample: Mapping[str, str], clients: int,
    seconds: float, a_second: float | None = None,
) -> float:  # fmt: skip
    """
    INSERTs per second by that many clients, each with a thread of its own.

    pgbench counts whole seconds; for less it gets a number of INSERTs.

    :param a_second: the most INSERTs per second.
    """
    values = {**sample, **{name: f"\\x{sample[name]}" for name in ("body", "leaf_hash")}}
    defined = [option for name in values for option in ("-D", f"{name}={values[name]}")]
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as script:
        script.write(" ".join(INSERT.format(table=table).split()))
        script.flush()
        long = ["-T", str(round(seconds))] if seconds >= 1 else ["-t", str(round(500 * seconds))]
        pace = [] if a_second is None else ["-R", str(a_second)]
        done = subprocess.run(
            [
                program, "-n", "-M", "prepared", "-f", script.name, "-c", str(clients),
                "-j", str(clients), *long, *pace, *defined,
            ],
            env=_environment(address), check=False, capture_output=True, text=True,
            timeout=seconds + PATIENCE,
        )  # fmt: skip
    rate = RATE.search(done.stdout)
    assert rate, f"{done.stdout}{done.stderr}"
    return float(rate[1])


def _environment(address: str) -> dict[str, str]:
    """The connection as environment variables, because everybody can read a command line."""
    names = {"host": "PGHOST", "port": "PGPORT", "user": "PGUSER", "password": "PGPASSWORD",
             "dbname": "PGDATABASE"}  # fmt: skip
    parts = conninfo_to_dict(address)
    given = {names[key]: str(value) for key, value in parts.items() if key in names}
    return {**os.environ, **given}
