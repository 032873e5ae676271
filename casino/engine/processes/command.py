"""Django's command line with this project's settings: `manage.py`, or `home-throw` if installed."""

import os
import signal
import sys
from collections.abc import Sequence
from typing import Final

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db import OperationalError

from casino.engine.processes.paths import INSTALLED
from casino.engine.processes.version import VERSION
from games.characters import CONTROL

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
