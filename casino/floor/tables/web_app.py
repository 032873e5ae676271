"""The floor as a web app: its manifest for a device's home screen, and its service worker."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import escape
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from casino.engine.processes import paths

SIZES: Final = (192, 512)
"""Of the icons in ``static/icons``, in pixels; the one for Apple's devices has 180."""
PAPER: Final = "#14161a"
"""The floor's dark paper (``static/css/tokens.css``)."""


@require_safe
def manifest(_request: HttpRequest) -> JsonResponse:
    """
    The web app manifest. It contains nothing about a house or a person, so anybody may have it.

    A page from the home screen keeps what it stores; a tab of Safari keeps it for seven days.
    """
    floor = manifest_of(reverse("floor"), name=_("Home Throw"), scope="/")
    return JsonResponse(floor, content_type="application/manifest+json")


def manifest_of(start: str, *, name: str, scope: str) -> dict[str, Any]:
    """A manifest of pages that begin at an address."""
    return {
        "id": start,
        "name": name,
        "short_name": name,
        "start_url": start,
        "scope": scope,
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": PAPER,
        "icons": [
            {
                "src": static(f"icons/home-{size}.png"),
                "sizes": f"{size}x{size}",
                "type": "image/png",
            }
            for size in SIZES
        ],
    }


# The service worker, which opens the floor's pages without a network (HTTPS or localhost only).


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
