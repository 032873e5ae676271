"""The pages that a role may open: sections of the navigation, their pages, settings, reports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.attendants.permissions import ALLOWED
from casino.kit.web import navigation
from casino.office.dashboard.palette.found import Found
from casino.reports.registers.catalogue import REPORTS
from casino.settings.configuration.frame import TABS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from django.utils.functional import _StrPromise

    from casino.house.attendants.permissions import Act
    from casino.office.dashboard.palette.found import Kind

OVERSEEING: Final[tuple[Act, ...]] = ("approve", "audit")

PAGES: Final[tuple[tuple[str, _StrPromise, _StrPromise | str, tuple[Act, ...]], ...]] = (
    ("days-late", gettext_lazy("Entries after the end of their day"), "", ("audit",)),
    ("approvals-history", gettext_lazy("Approvals that were decided"), "", ("look",)),
    ("cash-slips", gettext_lazy("Fills and credits"), gettext_lazy("cash slips"), ("look",)),
    ("cash-shifts", gettext_lazy("Shifts"), gettext_lazy("cash attendants"), ("look",)),
    ("cash-counts", gettext_lazy("Counts of floats"), gettext_lazy("cash"), ("look",)),
    ("cash-inventory", gettext_lazy("Cash inventory"), "", ("look",)),
    ("cash-log", gettext_lazy("Cash by player"), gettext_lazy("threshold"), OVERSEEING),
    ("unclaimed", gettext_lazy("Money that nobody has collected"),
     gettext_lazy("unclaimed prizes"), OVERSEEING),
    ("tips", gettext_lazy("Tips"), "", ("look",)),
    ("exclusions", gettext_lazy("Excluded players"), "", ("look",)),
    ("seats-refused", gettext_lazy("Seats refused"), gettext_lazy("excluded players"), ("look",)),
    ("cage", gettext_lazy("Cage and bank"), gettext_lazy("cash capital"), ("audit",)),
    ("dice-entries", gettext_lazy("How throws are entered"), gettext_lazy("dice"), OVERSEEING),
    ("dice-sets", gettext_lazy("Dice sets"), gettext_lazy("inventory store"), OVERSEEING),
    ("proof-checkpoints", gettext_lazy("Checkpoints"), gettext_lazy("proof signed"), ("audit",)),
    ("sign-ins", gettext_lazy("Sign-ins"), gettext_lazy("people"), ("audit",)),
    ("access", gettext_lazy("Who had access"), gettext_lazy("people roles"), ("audit",)),
    ("api-docs", gettext_lazy("The API"), gettext_lazy("programs documentation"), ("look",)),
)  # fmt: skip
"""Pages that are not in the navigation: address, title, other words, who may open them."""


def pages(entries: Sequence[navigation.Entry], role: str) -> Iterator[Found]:
    """
    Every page of the office that a role may open, without settings and reports.

    :param entries: the role's sections, with what waits in each.
    """
    words = {each.name: str(each.words) for group in navigation.groups() for each in group.sections}
    for each in entries:
        group = str(each.group.title)
        yield Found(
            kind="page",
            title=each.title,
            url=each.url,
            note=group if group != each.title else "",
            words=words[each.name],
            waiting=each.waiting,
        )
    yield from _list_things("page", PAGES, role)


def settings(role: str) -> Iterator[Found]:
    """The pages of the settings, for those who may see them."""
    if role in ALLOWED["audit"]:
        for name, title in TABS:
            if name != "settings-import" or role in ALLOWED["configure"]:
                yield Found(kind="setting", title=str(title), url=reverse(name), note=_("Settings"))
    yield from _list_things("setting", OWN, role)


def reports(role: str) -> Iterator[Found]:
    """The reports, for those who may read them."""
    if role in ALLOWED["audit"]:
        for each in REPORTS:
            url = reverse("report", args=[each.name])
            yield Found(kind="report", title=str(each.title), url=url, words=str(each.about))


OWN: Final[tuple[tuple[str, _StrPromise, _StrPromise | str, tuple[Act, ...]], ...]] = (
    ("me-password", gettext_lazy("My password"), gettext_lazy("change sign-in"), ("look",)),
    ("me-factors", gettext_lazy("My second factor"),
     gettext_lazy("passkey app codes sign-in"), ("look",)),
    ("me-pin", gettext_lazy("My PIN"), gettext_lazy("tablet sign-in"), ("record",)),
)  # fmt: skip
"""One's own settings."""


def _list_things(
    kind: Kind,
    rows: Sequence[tuple[str, _StrPromise, _StrPromise | str, tuple[Act, ...]]],
    role: str,
) -> Iterator[Found]:
    for name, title, words, acts in rows:
        if any(role in ALLOWED[act] for act in acts):
            yield Found(kind=kind, title=str(title), url=reverse(name), words=str(words))
