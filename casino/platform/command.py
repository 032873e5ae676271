"""Django's command line with this project's settings: `manage.py`, or `home-throw` if installed."""

import os
import sys
from typing import Final

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db import OperationalError

from casino.platform.paths import INSTALLED
from casino.platform.version import VERSION

CALLED: Final = "home-throw" if INSTALLED else "python manage.py"
STARTED: Final = "home-throw up" if INSTALLED else "python3 run.py"
"""The command that starts the house here, for messages that say what to do next."""


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.config.settings")
    if sys.argv[1:] == ["--version"]:  # Django would print its own version
        sys.stdout.write(f"Home Throw {VERSION}\n")
        return
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as wrong:  # a sentence says it better than a traceback
        sys.exit(f"{wrong}")
    except OperationalError as failure:
        from ledger.storage import Unguarded  # noqa: PLC0415 - for a rare failure

        if not isinstance(failure, Unguarded):
            raise
        sys.exit(f"{failure}")
    except KeyboardInterrupt:
        sys.exit(130)
