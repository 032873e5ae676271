"""A game told afterwards: everything that was recorded, and why a round was paid as it was."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.urls import reverse

from casino.floor import boards
from casino.floor.quoted import quoted
from casino.play import queries
from casino.play.telling import TELLERS, TITLES
from casino.players import veil

if TYPE_CHECKING:
    from casino.floor.boards import Seen


def whole(seen: Seen) -> dict[str, Any]:
    """Every event of a game, newest first."""
    teller = TELLERS[seen.loaded.ruleset.id]
    entries = boards.log(seen.loaded, teller, boards.staff_names(seen.loaded))
    return {**_about(seen), "log": veil.unveil(seen.house.pk, entries)}


def of_round(seen: Seen, number: int) -> dict[str, Any] | None:
    """
    An ended round as `queries.explanation` has it, with the rules it rests on in words.

    Of a round that was voided the one that took its number is told; None where there is none.
    """
    explained = next(iter(queries.explanation(seen.loaded, number)), None)
    if explained is None:
        return None
    teller = TELLERS[seen.loaded.ruleset.id]
    payments = [
        {
            **payment,
            "from": boards.account(payment["from"], teller),
            "to": boards.account(payment["to"], teller),
        }
        for payment in explained["payments"]
    ]
    cited = [*explained["rules"], *(rule for each in payments for rule in each["rules"])]
    texts = " ".join([explained["because"], *(each["because"] for each in payments)])
    ended = sum(fact.ends_round for _, fact in seen.loaded.live)
    return {
        **_about(seen),
        **explained,
        "number": number,
        "payments": payments,
        "quoted": quoted(cited, texts),
        "before": boards.round_url(seen.loaded.key.game, number - 1) if number > 1 else "",
        "after": boards.round_url(seen.loaded.key.game, number + 1) if number < ended else "",
    }


def _about(seen: Seen) -> dict[str, Any]:
    loaded = seen.loaded
    teller = TELLERS[loaded.ruleset.id]
    return {
        "title": TITLES[loaded.ruleset.id],
        "table": boards.table_name(seen.house, loaded),
        "currency": seen.house.currency_symbol,
        "sides": list(teller.SIZES),
        "opened_at": loaded.opening.provenance.occurred_at,
        "gaming_day": loaded.opening.provenance.gaming_day,
        "events": loaded.version,
        "position": loaded.position,
        "rules_version": loaded.ruleset.version,
        "urls": {
            "game": reverse("floor-game", args=[loaded.key.game]),
            "log": reverse("floor-log", args=[loaded.key.game]),
        },
    }
