"""
The command line of the house: `manage.py`, or `home-throw` if installed; a progress bar, and the
option of commands that need the database of the role that owns the tables.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import TYPE_CHECKING, Any, Final

from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, execute_from_command_line
from django.db import OperationalError, connections

from casino.engine.processes.paths import INSTALLED
from casino.engine.processes.version import VERSION
from games.characters import CONTROL

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Sequence

    from django.core.management.base import OutputWrapper
    from django.db.backends.base.base import BaseDatabaseWrapper

CALLED: Final = "home-throw" if INSTALLED else "python manage.py"
STARTED: Final = "home-throw up" if INSTALLED else "python3 run.py"
"""The command that starts the house here, for messages that say what to do next."""
HALVES: Final = 0xD7FF  # code points after it are halves of surrogate pairs


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.config.settings")
    if sys.argv[1:] == ["--version"]:  # Django would print its own version
        sys.stdout.write(f"Home Throw {VERSION}\n")
        return
    check_words(sys.argv[1:])
    try:
        try:
            execute_from_command_line(sys.argv)
        finally:
            sys.stdout.flush()
    except ImproperlyConfigured as wrong:  # a sentence says it better than a traceback
        sys.exit(f"{wrong}")
    except OperationalError as failure:
        from ledger.storage import Unguarded  # noqa: PLC0415 - for a rare failure

        if not isinstance(failure, Unguarded):
            raise
        sys.exit(f"{failure}")
    except BrokenPipeError:  # nobody reads on, as behind `head`; Python would write once more
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.stderr.write("Stopped: nobody reads what this writes.\n")
        sys.exit(128 + signal.SIGPIPE)
    except KeyboardInterrupt:
        sys.stderr.write("Stopped.\n")
        sys.exit(128 + signal.SIGINT)


def check_words(words: Sequence[str]) -> None:
    """
    Refuse what no text from outside may have, as the gate of requests does.

    :raises SystemExit: with a sentence that shows the word.
    """
    for word in words:
        if (found := CONTROL.search(word)) is not None:
            char = ord(found[0])
            # Python passes a byte that is no UTF-8 on as half of a surrogate pair.
            what = f"the byte {char - 0xDC00:#x}" if char > HALVES else f"U+{char:04X}"
            sys.stderr.write(f"{word!r:.80} has {what} in it, which is no text in UTF-8.\n")
            sys.exit(2)


# A progress bar on the terminal where a command runs.


WIDTH: Final = 30
CLEARED: Final = "\r\033[K"


def draw_bar(stderr: OutputWrapper, share: float | None) -> None:
    """
    Draw a bar over the one before it; draw nothing where there is no terminal.

    :param share: from 0 to 1; None when the work is done: the bar is removed.
    """
    if not sys.stderr.isatty():
        return
    drawn = CLEARED
    if share is not None:
        done = round(WIDTH * share)
        drawn = f"\r[{'#' * done}{'.' * (WIDTH - done)}] {share:4.0%}"
    stderr.write(drawn, style_func=str, ending="")
    stderr.flush()


# The option of commands that change where tables lie: the database of the role that owns them.


def add_database_option(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--database",
        default="default",
        help="`owner` where one role migrates (default: %(default)s)",
    )


def chosen_connection(options: dict[str, Any], *, on_sqlite: str = "") -> BaseDatabaseWrapper:
    """
    The connection that `add_database_option` names.

    :param on_sqlite: what to say where it is a file of SQLite, for commands that need PostgreSQL.
    :raises CommandError: if there is no such database, or it is no PostgreSQL and should be.
    """
    if options["database"] not in connections:
        raise CommandError(f"There is no database {options['database']}: default or owner.")
    connection = connections[options["database"]]
    if on_sqlite and connection.vendor != "postgresql":
        raise CommandError(on_sqlite)
    return connection
