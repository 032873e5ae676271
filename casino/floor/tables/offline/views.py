"""The view of offline bundles: the same for everybody, without anything about any house."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from casino.floor.tables.offline import bundles
from casino.words.presenters.registered import games

if TYPE_CHECKING:
    from django.http import HttpRequest

FOR_EVER: Final = "public, max-age=31536000, immutable"


@require_safe
def bundle(request: HttpRequest, ruleset: str, version: str) -> HttpResponse:
    """The script of a ruleset; 404 if its version is not that of this server's pages."""
    if ruleset not in games() or version != bundles.version(ruleset):
        raise Http404("There is no such bundle: load the page again.")
    made = bundles.bundle(ruleset)
    compressed = "gzip" in request.headers.get("Accept-Encoding", "")
    response = HttpResponse(
        made.compressed if compressed else made.plain,
        content_type="text/javascript; charset=utf-8",
        headers={"Cache-Control": FOR_EVER, "Vary": "Accept-Encoding"},
    )
    if compressed:
        response["Content-Encoding"] = "gzip"
    return response
