"""``python -m tests.past --write``: writes the demo house's past anew."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

SEED = 27


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.past", description=__doc__)
    parser.add_argument("--write", action="store_true", help="replace casino/demo/past.zip")
    parser.add_argument("--to", type=Path, help="write the bundle to this file instead")
    parser.add_argument("--days", type=int, help="only so many evenings")
    given = parser.parse_args()
    if given.write == bool(given.to):
        parser.error("say --write, or --to FILE")
    if os.environ.get("PYTHONHASHSEED") != "0":  # the order of sets is part of what is written
        os.environ["PYTHONHASHSEED"] = "0"
        os.execv(sys.executable, [sys.executable, "-m", "tests.past", *sys.argv[1:]])  # noqa: S606
    memory = Path("/dev/shm")  # noqa: S108 - a database of minutes, where there is a RAM disk
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        os.environ |= {
            "HOME_THROW_DATA": folder,
            "DJANGO_SETTINGS_MODULE": "casino.config.settings",
        }
        os.environ.pop("DATABASE_URL", None)
        from tests.past import bundle  # noqa: PLC0415 - settings are read when it is imported

        bundle.write(given.to or bundle.PLACE, seed=SEED, days=given.days)


if __name__ == "__main__":
    main()
