"""The API's description as a page, `/api/docs/`: Swagger UI over `/api/schema/`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import render
from django.views.decorators.http import require_safe

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """
    Every address, field and error, to read and to try.

    Anybody may read it, as they may read the description itself. Requests that only read can be
    sent from the page; they are made as whoever is signed in.
    """
    return render(request, "kit/web/api_docs.html")
