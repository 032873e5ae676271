"""What devices of the floor sent too late, or not at all: a supervisor puts it right (E5)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, TypeVar

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from casino.devices import late, queries
from casino.play.queries import find
from casino.web.forms import ReasonForm
from casino.web.pages import REFUSALS, Page, office, only_those
from games.refusals import Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from uuid import UUID

    from django.http import HttpResponse

    from casino.operations.acts import Act

ROWS: Final = 50
LISTED: Final = 100  # what waits is worked off from the top; the rail says how much there is
DECIDED_BEFORE: Final = re.compile(r"[0-9]{1,18}")


Card = TypeVar("Card", queries.LateCard, queries.GapCard)


class WhyForm(ReasonForm):
    """As wide as a card of the list."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason"].widget.attrs["size"] = 40


@office("look", section="late", post="approve")
def overview(page: Page) -> HttpResponse:
    """What waits, by table, and gaps; then what became of what waited before."""
    only_those(page)
    before = page.request.GET.get("before", "")
    decided = queries.dealt_with(page.house.pk)
    if DECIDED_BEFORE.fullmatch(before):
        decided = decided.filter(decided_position__lt=int(before))
    rows = list(decided[: ROWS + 1])
    waiting = list(queries.waiting_entries(page.house.pk)[: LISTED + 1])
    gaps = queries.open_gaps(page.house.pk)[:LISTED]
    context = {
        "tables": [
            {
                "table": each.table,
                "game": each.game,
                "cards": list(_with_forms(each.late)),
            }
            for each in queries.by_table(page.house, waiting[:LISTED])
        ],
        "more": len(waiting) > LISTED,
        "gaps": list(_with_forms(queries.gap_cards(page.house, gaps))),
        "closed": queries.gap_cards(page.house, queries.closed_gaps(page.house.pk)[:ROWS]),
        "decided": queries.late_cards(page.house, rows[:ROWS]),
        "older": rows[ROWS - 1].decided_position if len(rows) > ROWS else None,
        "now": page.now,
        "decides": page.may("approve"),
    }
    return page.show("devices/index.html", context)


def _with_forms(cards: Iterable[Card]) -> Iterator[tuple[Card, WhyForm]]:
    """Each with its own form: what is sent twice from it is one act."""
    for card in cards:
        yield card, WhyForm(auto_id=f"id-{card.row.position}-%s")


class StaysListed(Refused):
    code = "stays_listed"


@office("look", section="late", post="approve")
def put(page: Page, game: UUID, number: int) -> HttpResponse:
    """Put a late entry to its game as it stands now."""
    _let_in(page, game)
    if not page.posted:
        return page.refused(_("Choose an entry from the list."), "late")

    def recorded() -> None:
        if why := _put_one(page, game, number):
            raise StaysListed(_("Not recorded, it stays listed: %(why)s") % {"why": why})

    return page.put(recorded, _("Recorded, as a late entry."), "late")


def _put_one(page: Page, game: UUID, number: int) -> str:
    """Why the rules refuse a late entry; "" where they took it."""
    refusal = late.put(
        by=page.person,
        house=page.house,
        game=game,
        entry=number,
        now=page.now,
        device=page.device,
    )
    return page.why(refusal.detail) if refusal is not None else ""


@office("look", section="late", post="approve")
def put_all(page: Page, game: UUID) -> HttpResponse:
    """Put a game's late entries in the order in which they were entered, until one is refused."""
    _let_in(page, game)
    if not page.posted:
        return page.refused(_("Choose an entry from the list."), "late")
    recorded, why = 0, ""
    for row in queries.waiting_entries(page.house.pk).filter(game=game)[:LISTED]:
        try:
            why = _put_one(page, game, row.number)
        except REFUSALS as refused:
            why = page.why(refused)
        if why:
            break
        recorded += 1
    said = ngettext(
        "%(recorded)s late entry is recorded.",
        "%(recorded)s late entries are recorded.",
        recorded,
    ) % {"recorded": recorded}
    if not why:
        return page.done(said, "late")
    stopped = _("%(said)s The next one is not, and stays listed: %(why)s")
    return page.refused(stopped % {"said": said, "why": why}, "late")


@office("look", section="late", post="approve")
def dismiss(page: Page, game: UUID, number: int) -> HttpResponse:
    """Take a late entry off the list, for a reason."""
    _let_in(page, game)
    return _for_a_reason(
        page,
        lambda act, reason: late.dismiss(act, game=game, entry=number, reason=reason),
        {"do": "dismiss", "game": str(game), "entry": number},
        _("Dismissed. What it was, who did so and why stays on record."),
    )


@office("look", section="late", post="approve")
def close_gap(page: Page, game: UUID, number: int) -> HttpResponse:
    """Say why numbers of a device are missing."""
    _let_in(page, game)
    return _for_a_reason(
        page,
        lambda act, reason: late.close_gap(act, game=game, gap=number, reason=reason),
        {"do": "close_gap", "game": str(game), "gap": number},
        _("The gap is closed. Its numbers and the reason stay on record."),
    )


def _let_in(page: Page, game: UUID) -> None:
    """
    :raises NotYours: for whom the list is not.
    :raises NoGame: if the house has no such game.
    """
    only_those(page)
    find([page.house.pk], game)


def _for_a_reason(
    page: Page, do: Callable[[Act, str], None], asked: dict[str, object], done: str
) -> HttpResponse:
    form = WhyForm(page.sent)
    if not form.is_valid():
        return page.refused(_("Say why, in a few words."), "late")
    reason = form.cleaned_data["reason"]
    act = page.act(form.act_id, **asked, reason=reason)
    return page.put(lambda: do(act, reason), done, "late")
