"""The address of the box: a page without scripts, a fragment for the box, JSON for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import JsonResponse
from django.shortcuts import render

from casino.kit.web.pages import office
from casino.office.dashboard.palette import finding

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpResponse

    from casino.kit.web.pages import Page
    from casino.office.dashboard.palette.finding import Group

FRAGMENT, JSON = "fragment", "json"


@office("look", section="find", from_replica=True)
def find(page: Page) -> HttpResponse:
    """
    What fits ``q``, in groups.

    As a page; with ``as=fragment`` only the list, as the options of the box; with ``as=json`` as
    ``{"groups": [{"kind": "table", "title": "Tables", "found": [{"title", "url", "note",
    "waiting"}]}]}``.
    """
    text = page.request.GET.get("q", "")
    groups = finding.find(page, text)
    wanted = page.request.GET.get("as", "")
    if wanted == JSON:
        return JsonResponse({"groups": [_plain(group) for group in groups]})
    context = {"groups": groups, "q": text, "options": wanted == FRAGMENT}
    if wanted == FRAGMENT:
        return render(page.request, "palette/_found.html", context)
    return page.show("palette/page.html", context)


def _plain(group: Group) -> dict[str, object]:
    found: Sequence[dict[str, object]] = [
        {"title": each.title, "url": each.url, "note": each.note, "waiting": each.waiting}
        for each in group.found
    ]
    return {"kind": group.kind, "title": group.title, "found": found}
