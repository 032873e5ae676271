#!/usr/bin/env python
"""Django's command line, with this project's settings."""

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as wrong:  # the environment's fault: a sentence says it better
        sys.exit(f"{wrong}")
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
