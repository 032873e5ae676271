"""The service worker, which opens the floor's pages without a network (HTTPS or localhost only)."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.html import escape
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from casino.engine.processes import paths

FILES: Final = paths.STATIC
SCRIPTS: Final = ("js/ask_house.js", "js/floor/worker.js")
FOLDERS: Final = ("css", "fonts", "js")
MILLI: Final = 1000


@require_safe
@never_cache
def worker(_request: HttpRequest) -> HttpResponse:
    """
    The service worker's script, with the version of all files: a new version discards cached files.

    The script contains nothing about anybody, so anybody may have it. A worker's scope is its own
    folder.
    """
    constants = {
        "VERSION": version(),
        "KEPT_FOR": settings.SESSION_COOKIE_AGE * MILLI,
        "WORDS": {
            "none": escape(_("No line, and this page is not kept on this device")),
            "more": escape(_("Pages that were opened here lately are. Try again when there is.")),
        },
    }
    given = "".join(f"const {name} = {json.dumps(value)};\n" for name, value in constants.items())
    scripts = "".join((FILES / each).read_text() for each in SCRIPTS)
    return HttpResponse(given + scripts, content_type="text/javascript")


@cache
def version() -> str:
    """A hash of every file that the floor's pages consist of."""
    digest = hashlib.sha256()
    for folder in FOLDERS:
        for path in sorted((FILES / folder).rglob("*")):
            if path.is_file():
                digest.update(str(path.relative_to(FILES)).encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
