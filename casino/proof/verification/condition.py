"""Whether the ledgers of all houses are signed and copied outside, for monitoring."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from django.conf import settings

from casino.house.establishments.models import Establishment
from casino.proof.signing import queries
from casino.proof.signing.models import SigningTrouble
from casino.proof.verification import runs
from casino.words.languages import durations
from ledger import unread
from ledger.checkpoints import INTEGRITY
from ledger.conflicts import count_of
from ledger.lag import lagging

if TYPE_CHECKING:
    from datetime import datetime

UNSIGNED_MAX: Final = 5000  # events; a running worker signs every few seconds
EXPOSED_MAX: Final = timedelta(minutes=75)  # mail is sent each hour, and takes some time


@dataclass(frozen=True, slots=True)
class Condition:
    """
    The condition of the proof of all ledgers.

    :param complaints: sentences that name the house, the worst first.
    :param figures: the numbers of complaints, for programs.
    """

    complaints: list[str]
    figures: dict[str, Any]


def of_all(now: datetime) -> Condition:
    """Everything that is wrong with the signing and copying of any house's ledger."""
    found = queries.broken().values("establishment")
    broken = list(Establishment.objects.filter(pk__in=found).order_by("name"))
    troubles = SigningTrouble.objects.exclude(establishment__in=broken).select_related(
        "establishment"
    )
    complaints = [
        f"{house.name}: {_what_differs(house)}: payouts are stopped. E2 {queries.what_to_do(house)}"
        for house in broken
    ]
    complaints += [f"{each.establishment.name}: {each.message}" for each in troubles]
    complaints += [
        f"{each.establishment.name}: its records could not be verified ({each.reason})."
        for each in runs.undone().select_related("establishment")
    ]
    unsigned = max((each.lag for each in lagging([INTEGRITY])), default=0)
    if unsigned > UNSIGNED_MAX and not complaints:
        complaints.append(
            f"Up to {count_of(unsigned, 'event is', 'events are')} not signed yet:"
            " is a worker running?"
        )
    exposed = _houses_without_copy(now)
    complaints += exposed
    return Condition(
        complaints,
        {
            "broken": len(broken), "not_signed": len(troubles), "unsigned": unsigned,
            "exposed": len(exposed),
        },
    )  # fmt: skip


def _what_differs(house: Establishment) -> str:
    """What the last verification found; it compares the guards of the database, too."""
    if (guard := queries.only_guards(house)) is not None:
        return f"its database is not guarded as it was installed ({guard})"
    return "its records are not what was signed"


def _houses_without_copy(now: datetime) -> list[str]:
    """
    Sentences for houses with events that no copy outside has covered for too long. None if no
    copies are configured.
    """
    if not settings.CHECKPOINT_COPIES:
        return []
    found = []
    # A house with a copy to make is one with something unread
    # (`casino.play.core.subscriptions.quiet`).
    for house in Establishment.objects.filter(pk__in=unread.houses()).order_by("name"):
        outside = queries.outside(house.pk)
        exposed = outside.exposed_for(now)
        if exposed is not None and exposed > EXPOSED_MAX:
            why = next((place.error for place in outside.places if place.error), "")
            found.append(
                f"{house.name}: no copy outside covers its last"
                f" {count_of(outside.exposed, 'event')}, for"
                f" {durations.in_english(exposed)}. {why}".strip()
            )
    return found
