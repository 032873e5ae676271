"""The page that stops the demo's tables, which play by themselves, or lets them go on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from casino.kit.web.pages import office
from casino.settings.staff.sign_in.demo_staff import SELF_PLAY

if TYPE_CHECKING:
    from django.http import HttpResponse

    from casino.kit.web.pages import Page


@require_POST
@office("record", section="today")
def play(page: Page) -> HttpResponse:
    """
    Stop the tables, or let them play on: `do` is ``stop`` or ``play``.

    It is no act of the house: nothing is recorded, and the next start begins anew.
    """
    if page.request.POST.get("do") == "play":
        SELF_PLAY.wanted.set()
        return page.done(_("They play on while somebody looks."), "start")
    SELF_PLAY.wanted.clear()
    return page.done(_("They have stopped. The next start of the program lets them play."), "start")
