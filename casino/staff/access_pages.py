"""Who has been where: the log of sign-ins, and who has and had which role (D1, D2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from casino.staff.listings import ACCESS, SIGN_INS
from casino.staff.pages import SECTION
from casino.web.listings.pages import paged
from casino.web.pages import Page, office

if TYPE_CHECKING:
    from django.http import HttpResponse


@office("audit", section=SECTION)
def sign_ins(page: Page) -> HttpResponse:
    """The sign-in log, the latest first."""
    return paged(page, SIGN_INS, "staff/sign_ins.html")


@office("audit", section=SECTION)
def access_listing(page: Page) -> HttpResponse:
    """Who has and had which role, as of a day."""
    return paged(page, ACCESS, "staff/access.html")
