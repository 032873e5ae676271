"""A regrade in words, for people at a terminal."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from casino.words.languages.amounts import money
from casino.words.languages.messages import translate
from ledger.conflicts import count_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from casino.house.establishments.models import Establishment
    from casino.proof.disputes.regrade.reading import Period

KINDS = {
    "event": "event of the game",
    "booking": "booking",
    "transfer": "transfer",
    "payout": "payout shown",
    "prize": "prize",
    "points": "scoreboard",
}
WHATS = {
    "altered": "is another",
    "missing": "is missing",
    "unexpected": "should not be there",
    "twice": "is there twice",
    "refused": "is refused by the rules",
    "unreadable": "cannot be read",
}
WAITING = {
    "parked": "its settlement is parked",
    "not_settled": "it is not settled yet",
}


def heading(house: Establishment, period: Period, *, current: bool) -> str:
    days = [f"since {period.since}"] if period.since else []
    days += [f"until {period.until}"] if period.until else []
    rules = "today's rules, for information" if current else "the rules of each game"
    return f"{house}, {' '.join(days) or 'everything'}, by {rules}"


def difference(row: Mapping[str, Any]) -> str:
    """A difference as a paragraph: place, kind, both sides and their explanations."""
    where = [f"game {row['game']}"] if "game" in row else []
    where += [f"{name} {row[name]}" for name in ("round", "event", "position") if name in row]
    lines = [f"! {KINDS[row['kind']]} {WHATS[row['what']]}: {', '.join(where) or 'the house'}"]
    for side in ("expected", "found"):
        if side in row:
            lines.append(f"    {side}: {json.dumps(row[side], ensure_ascii=False)}")
        if explained := row.get("because", {}).get(side):
            lines += [f"      {sentence}" for sentence in sentences(explained)]
    if "said" in row:
        lines.append(f"    {row['said']}")
    return "\n".join(lines)


def sentences(explained: Mapping[str, Any]) -> list[str]:
    """The sentences of a round's explanation: why it was paid."""
    return [
        translate(explained["because"]),
        *(
            f"{payment['from']} to {payment['to']}: {money(payment['amount'])}."
            f" {translate(payment['because'])}"
            for payment in explained["payments"]
        ),
    ]


def waiting(row: Mapping[str, Any]) -> str:
    if row["why"] == "not_installed":
        return f"~ game {row['game']} not regraded: package {row['package']} is missing"
    return f"~ game {row['game']} waits from position {row['position']}: {WAITING[row['why']]}"


def payouts(row: Mapping[str, Any]) -> str:
    if row["stopped"]:
        return "! Payouts of this house are stopped until two people resume them. E2"
    return (
        f"! Payouts of this house are NOT stopped: {row['said']}. Begin a regrade in the house"
        " itself, by the API: it finds the same and stops them. E2"
    )


def figures(row: Mapping[str, Any]) -> str:
    counted = (
        f"{count_of(row['games'], 'game')}, {count_of(row['events'], 'event')},"
        f" {count_of(row['payouts'], 'payout')} regraded: "
    )
    found = row["differences"]
    return counted + (f"{count_of(found, 'difference')}." if found else "no difference.")


SENTENCES: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "difference": difference,
    "waiting": waiting,
    "payouts": payouts,
    "figures": figures,
}
