"""
``python -m tests.schema`` describes the database that the environment names.

With ``--write`` the two files beside this one are written anew, from an empty SQLite and an empty
PostgreSQL that are migrated for it: after a change of the tables that is meant.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests import services

FOLDER = Path(__file__).parent
ROOT = FOLDER.parent.parent


def main(arguments: Sequence[str]) -> int:
    if "--write" not in arguments:
        sys.stdout.write(text())
        return 0
    with tempfile.TemporaryDirectory(prefix="home-throw-schema-") as folder:
        write("sqlite", HOME_THROW_DATA=folder)
    with services.postgresql() as url:
        write("postgresql", DATABASE_URL=url, SECRET_KEY="of nobody")
    return 0


def write(vendor: str, **settings: str) -> None:
    given = ("DATABASE_URL", "DATABASE_OWNER_URL", "DATABASE_READER_URL", "REDIS_URL")
    env = {name: value for name, value in os.environ.items() if name not in given} | settings
    command = [sys.executable, "manage.py", "migrate", "--verbosity=0"]
    subprocess.run(command, cwd=ROOT, env=env, check=True)
    command = [sys.executable, "-m", "tests.schema"]
    result = subprocess.run(
        command, cwd=ROOT, env=env, check=True, stdout=subprocess.PIPE, text=True
    )
    (FOLDER / f"{vendor}.txt").write_text(result.stdout, encoding="utf-8")


def text() -> str:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.config.settings")
    import django  # noqa: PLC0415 - settings first

    django.setup()
    from django.db import connection  # noqa: PLC0415

    from tests.schema.described import described  # noqa: PLC0415

    return "".join(f"{line}\n" for line in described(connection))


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
