"""The pages of late entries and gaps, which a supervisor deals with (E5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeVar

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from casino.kit.web.forms import ReasonForm
from casino.kit.web.listings.pages import of_rows, page_with_list
from casino.kit.web.pages import REFUSALS, Outcome, Page, office, only_those
from casino.play.core.queries import find
from casino.play.devices import late, queries
from casino.play.devices.listings import CLOSED_GAPS, LATE_ENTRIES
from games.refusals import Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from uuid import UUID

    from django.http import HttpResponse

    from casino.house.acts.acts import Act

ROWS: Final = 50
LISTED: Final = 100  # entries shown; people work from the top, and the rail shows the total


Card = TypeVar("Card", queries.LateCard, queries.GapCard)


class WhyForm(ReasonForm):
    """The form for a reason, as wide as a card of the list."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason"].widget.attrs["size"] = 40


@office("look", section="late", post="approve")
def overview(page: Page) -> HttpResponse:
    """The page of late entries: those that wait, by table, then gaps, then those dealt with."""
    only_those(page)
    return page_with_list(page, LATE_ENTRIES, "play/devices/index.html", lambda: _waiting(page))


def _waiting(page: Page) -> dict[str, Any]:
    waiting = list(queries.waiting_entries(page.house.pk)[: LISTED + 1])
    gaps = queries.open_gaps(page.house.pk)[:LISTED]
    return {
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
        "closed": of_rows(page, CLOSED_GAPS, queries.gaps_over(page.house.pk)[:ROWS]),
        "now": page.now,
        "decides": page.may("approve"),
    }


def _with_forms(cards: Iterable[Card]) -> Iterator[tuple[Card, WhyForm]]:
    """Each card with its own form, so that sending one form twice is one act."""
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

    return page.put(recorded, _of_game(_("Recorded, as a late entry."), game), "late")


def _of_game(sentence: str, game: UUID) -> Outcome:
    """What became of a late entry, with a link to the log of its game."""
    return Outcome(sentence, _("The log of the game"), reverse("floor-log", args=[game]))


def _put_one(page: Page, game: UUID, number: int) -> str:
    """Put a late entry; returns why the rules refuse it, or "" if it is recorded."""
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
    try:
        done = late.put_all(
            by=page.person, house=page.house, game=game, now=page.now, device=page.device
        )
    except REFUSALS as refused:
        return page.refused(page.why(refused), "late")
    recorded = len(done.recorded)
    sentence = ngettext(
        "%(recorded)s late entry is recorded.",
        "%(recorded)s late entries are recorded.",
        recorded,
    ) % {"recorded": recorded}
    if done.stopped is None:
        return page.done(_of_game(sentence, game), "late")
    _number, refusal = done.stopped
    stopped = _("%(said)s The next one is not, and stays listed: %(why)s")
    return page.refused(stopped % {"said": sentence, "why": page.why(refusal.detail)}, "late")


@office("look", section="late", post="approve")
def dismiss(page: Page, game: UUID, number: int) -> HttpResponse:
    """Take a late entry off the list, for a reason."""
    _let_in(page, game)
    return _for_a_reason(
        page,
        game,
        lambda act, reason: late.dismiss(act, game=game, entry=number, reason=reason),
        {"do": "dismiss", "game": str(game), "entry": number},
        _("Dismissed. What it was, who did so and why stays on record."),
    )


@office("look", section="late", post="approve")
def close_gap(page: Page, game: UUID, number: int) -> HttpResponse:
    """Close a gap, with the reason why numbers of a device are missing."""
    _let_in(page, game)
    return _for_a_reason(
        page,
        game,
        lambda act, reason: late.close_gap(act, game=game, gap=number, reason=reason),
        {"do": "close_gap", "game": str(game), "gap": number},
        _("The gap is closed. Its numbers and the reason stay on record."),
    )


def _let_in(page: Page, game: UUID) -> None:
    """
    Check that the person may see the list of late entries and that the house has the game.

    :raises NotYours: if the person may not see the list.
    :raises NoGame: if the house has no such game.
    """
    only_those(page)
    find([page.house.pk], game)


def _for_a_reason(
    page: Page, game: UUID, do: Callable[[Act, str], None], fields: dict[str, object], done: str
) -> HttpResponse:
    form = WhyForm(page.sent)
    if not form.is_valid():
        return page.refused(_("Say why, in a few words."), "late")
    reason = form.cleaned_data["reason"]
    act = page.act(form.act_id, **fields, reason=reason)
    return page.put(lambda: do(act, reason), _of_game(done, game), "late")
