"""
``python -m tests.weighed FILE [options of up]``: an embedded house that writes down what it has.

FILE gets a line of JSON before the house answers for the first time, and one after each answer:
the address that was asked for, and the modules that are imported. What waits for the first page
waits on, so that no line has anything of it.
"""

import json
import os
import sys
from pathlib import Path
from typing import Any

os.environ["DJANGO_SETTINGS_MODULE"] = "casino.config.settings"

from django.core.management import execute_from_command_line

from casino.config import embedded

FILE = Path(sys.argv[1])
ASKED_FOR_IT = {"json", "tests", __name__}  # by this program


class Weighed(embedded.Served):
    def __call__(self, environ: Any, start_response: Any) -> Any:
        if not FILE.exists():
            note("")
        answer = super().__call__(environ, start_response)
        note(environ["PATH_INFO"])
        return answer


def note(asked: str) -> None:
    modules = sorted(name for name in sys.modules if name not in ASKED_FOR_IT)
    with FILE.open("a") as file:
        file.write(json.dumps({"asked": asked, "modules": modules}) + "\n")


if __name__ == "__main__":
    embedded.Served = Weighed  # type: ignore[misc]
    embedded.FIRST_PAGE_WITHIN = embedded.ASSETS_WITHIN = 600.0
    execute_from_command_line(["manage.py", "up", *sys.argv[2:]])
