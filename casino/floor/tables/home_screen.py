"""The floor on a device's home screen: its name there, its look, and where it starts."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpRequest, JsonResponse
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

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
