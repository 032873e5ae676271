"""The exception report on a page and in files (C2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from casino.exceptions.listings import EXCEPTIONS
from casino.web.listings.pages import paged
from casino.web.pages import office, only_those

if TYPE_CHECKING:
    from django.http import HttpResponse

    from casino.web.pages import Page

SECTION = "exceptions"


@office("look", section=SECTION)
def report(page: Page) -> HttpResponse:
    """What was void, overridden, late, changed, approved or done alone, newest first (C2)."""
    only_those(page)
    return paged(page, EXCEPTIONS, "exceptions/index.html")
