"""The summary of a closed day for screen and print: from its event ``day.closed``, with names."""

from __future__ import annotations

from base64 import b64encode
from datetime import date
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _

from casino.house.establishments.table_names import in_order
from casino.kit.approvals.queries import names
from casino.proof.signing import queries as integrity
from casino.words.presenters import TITLES, event_types
from ledger.accounts import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from casino.house.establishments.models import Establishment
    from casino.reports.gaming_days.models import GamingDay
    from ledger.wire import StoredEvent

PLAY = (
    ("rounds", _("Rounds")),
    ("throws", _("Throws")),
    ("games", _("Games opened")),
    ("voids", _("Voids")),
    ("rounds_of_earlier_days_voided", _("Rounds of earlier days voided")),
)
MONEY = (
    ("bought_in", _("Bought in")),
    ("cashed_out", _("Cashed out")),
    ("house_staked", _("Brought by the house's seats")),
    ("house_took", _("Taken by the house's seats")),
    ("staked", _("Staked, into pots")),
    ("paid", _("Paid, out of pots")),
    ("drawn", _("Drawn from rollovers")),
    ("rolled_over", _("Left in rollovers")),
    ("held", _("Held back")),
    ("released", _("Released")),
    ("prizes_won", _("Prizes won")),
    ("prizes_paid", _("Prizes paid")),
)
FEES = (
    ("fees_decided", _("Expected, by the rules")),
    ("fees", _("Taken, as booked")),
    ("fees_counted", _("Counted out of the boxes")),
)
OWED = (
    (Kind.STAKE, _("Stakes")),
    (Kind.POT, _("Pots")),
    (Kind.ROLLOVER, _("Rollovers")),
    (Kind.HELD, _("Held")),
    (Kind.PRIZES_OWED, _("Prizes owed")),
)
CASH = ((Kind.FLOAT, _("At the tables")), (Kind.CAGE, _("In the cage")))
ALWAYS = frozenset(
    {"rounds", "throws", "games", "voids", "bought_in", "cashed_out", "staked", "paid"}
    | {name for name, _title in FEES}
)
"""Figures that are shown even if they are 0; the others only if they are not."""


def summary(house: Establishment, row: GamingDay, event: StoredEvent) -> dict[str, Any]:
    """The parts of the summary, for the template."""
    data = event.data
    tables = {str(pk): name for pk, name in house.tables.values_list("pk", "name")}
    people = names({who for who in (data["by"], row.signed_by) if who})
    kinds = data["carried"]["kinds"]
    return {
        "closed_by": "" if data["automatic"] else people[data["by"]],
        "signed_by": people.get(row.signed_by, ""),
        "checkpoint": _checkpoint(event),
        "play": list(_figures(data["totals"], PLAY)),
        "money": list(_figures(data["totals"], MONEY)),
        "fees": list(_figures(data["totals"], FEES)),
        "over_short": [
            {"table": tables.get(name, name), "amount": coins}
            for name, coins in data["over_short"].items()
        ],
        "over_short_total": data["totals"]["over_short"],
        "owed": [{"label": title, "amount": kinds.get(kind, 0)} for kind, title in OWED],
        "owed_total": sum(kinds.get(kind, 0) for kind, _title in OWED),
        "cash": [{"label": title, "amount": kinds.get(kind, 0)} for kind, title in CASH],
        "cash_total": sum(kinds.get(kind, 0) for kind, _title in CASH),
        "games": [
            {
                **game,
                "table": tables.get(game["table"], ""),
                "title": TITLES.get(game["ruleset"], game["ruleset"]),
                "opened": date.fromisoformat(game["opened"]) if game["opened"] else None,
            }
            for game in data["open_games"]
        ],
        "rollovers": [
            {"title": TITLES.get(name, name), "amount": coins}
            for name, coins in data["rollovers"].items()
        ],
        "left": list(things_undone(data, tables)),
        "acts": [
            {"what": event_types.title(kind), "count": count}
            for kind, count in data["acts"].items()
        ],
        "position": event.position,
        "leaf_hash": event.leaf_hash.hex(),
    }


def _figures(
    totals: Mapping[str, int], titles: Iterable[tuple[str, Any]]
) -> Iterator[dict[str, Any]]:
    for name, title in titles:
        if totals[name] or name in ALWAYS:
            yield {"name": name, "label": title, "value": totals[name]}


def things_undone(data: Mapping[str, Any], tables: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """What was left undone when the day was closed."""
    uncounted = data["uncounted"]
    for title, ids in (
        (_("Tables not counted"), uncounted["tables"]),
        (_("Fee boxes not counted"), uncounted["boxes"]),
    ):
        if ids:
            yield {
                "title": title,
                "what": ", ".join(sorted((tables.get(each, each) for each in ids), key=in_order)),
            }
    for title, count in (
        (_("Requests waiting for a second person"), len(data["carried"]["requests"])),
        (_("Open disputes"), len(data["carried"]["disputes"])),
        (_("Payouts held"), len(data["held"])),
        (_("Events that could not be booked"), data["parked"]["count"]),
        (_("Games that were not understood"), len(data["unreadable"])),
        (_("Late entries"), data["late"]),
    ):
        if count:
            yield {"title": title, "what": count}


def day_of(text: str) -> date | None:
    """Parse the gaming day of an address; None if it is not a date."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _checkpoint(event: StoredEvent) -> dict[str, Any] | None:
    """The first checkpoint that covers the close (B4)."""
    found = integrity.covering(event.establishment, event.position)
    if found is None:
        return None
    return {"size": found.size, "short_root": b64encode(bytes(found.root)).decode()[:12]}
