"""What a request to void takes back, and how the game would go on: for whoever decides it (G4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from casino.languages import locales
from casino.play.stories import staff_names
from casino.presenters import PRESENTERS
from casino.presenters.presenter import account
from games.history import live

if TYPE_CHECKING:
    from collections.abc import Sequence

    from casino.game_streams.loading import Loaded
    from casino.presenters.presenter import Presenter
    from games.game import Json
    from games.messages import Fact
    from games.session import GameSession

LISTED: Final = 12
"""How many of the entries that go back are listed, the newest; the others are counted."""


@dataclass(frozen=True)
class Before:
    """A game as it was before an event: a `casino.presenters.shapes.Course`."""

    facts: Sequence[Fact]
    live: Sequence[tuple[int, Fact]]
    state: GameSession[Any]
    view: Json


def before(loaded: Loaded, number: int) -> Before:
    """The game as it was before the event of that number."""
    facts = loaded.facts[: number - 1]
    history = tuple(enumerate(facts, 1))
    state = loaded.ruleset.decider.fold(facts)
    return Before(facts, live(history), state, loaded.ruleset.view(history, session=state))


def effects(loaded: Loaded, back_to: int, asked_at: int) -> dict[str, Any]:
    """
    What a void back to an event takes back; with tokens instead of names.

    ``entries``: what was entered, oldest first, each with dice, hand and payments, and whether it
    came ``since`` the request; ``more``: how many before these are not listed. ``asked``: how many
    entries were there when it was asked for; ``since``: how many came later. ``paid``: all payments
    that go back, in coins. ``stakes``: the stakes that change, now and then.
    ``goes_on``: what the table would do next. ``through``: the last event that goes back.

    :param asked_at: the number of the request's own event.
    """
    gone = [(number, fact) for number, fact in loaded.live if number >= back_to]
    then, presenter = before(loaded, back_to), PRESENTERS[loaded.ruleset.id]
    people = staff_names(loaded)
    entries = _entries(loaded, presenter, people, gone, asked_at)
    since = sum(each["since"] for each in entries)
    return {
        "entries": entries[-LISTED:],
        "more": max(0, len(entries) - LISTED),
        "asked": len(entries) - since,
        "since": since,
        "paid": sum(each.amount for _number, fact in gone for each in fact.payments),
        "stakes": _stakes(loaded, then) if presenter.for_money(loaded) else [],
        "goes_on": presenter.upcoming(then, then.view)["sentence"],
        "through": loaded.version,
    }


def _entries(
    loaded: Loaded,
    presenter: Presenter,
    people: dict[str, str],
    gone: Sequence[tuple[int, Fact]],
    asked_at: int,
) -> list[dict[str, Any]]:
    """One entry for each command that goes back, with what followed from it."""
    entries: list[dict[str, Any]] = []
    for number, fact in gone:
        line = presenter.describe(loaded, fact, people)
        if not fact.consequence or not entries:
            entries.append({
                "number": number,
                "at": loaded.events[number - 1].provenance.occurred_at.isoformat(),
                "clock": locales.clock(loaded.events[number - 1].provenance.occurred_at),
                "since": number > asked_at,
                "payments": [],
                "line": line,
                "followed": [],
            })  # fmt: skip
        elif line is not None and line.get("sentence"):
            entries[-1]["followed"].append(line["sentence"])
        entries[-1]["payments"] += [
            {
                "from": account(each.payer, presenter),
                "to": account(each.payee, presenter),
                "amount": each.amount,
            }
            for each in fact.payments
            if each.amount
        ]
    return entries


def _stakes(loaded: Loaded, then: Before) -> list[dict[str, Any]]:
    now = loaded.view["stakes"]
    earlier = then.view["stakes"]
    return [
        {"player": player, "now": stake, "then": earlier.get(player, 0)}
        for player, stake in now.items()
        if stake != earlier.get(player, 0)
    ]
