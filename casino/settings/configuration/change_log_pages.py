"""The change log: who changed what, from what to what, when and why (C2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from casino.kit.web.pages import Page, office
from casino.settings.configuration.frame import SECTION, respond_list
from casino.settings.configuration.listings import CHANGES

if TYPE_CHECKING:
    from django.http import HttpResponse


@office("audit", section=SECTION, from_replica=True)
def log(page: Page) -> HttpResponse:
    """The list of changes, the latest first."""
    return respond_list(page, CHANGES, "settings/configuration/changes.html")
