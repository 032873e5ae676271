"""
How long the attendant alone may undo the last throw (G4): the house's `undo_seconds`, by the clock
of the house and by that of the device. docs/decisions/0077 says why by both.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from django.utils import timezone

from casino.play.core.stories import staff_names
from casino.words.languages import locales
from casino.words.presenters import PRESENTERS
from casino.words.presenters.presenter import account
from games import corrections
from games.messages import Voided, live
from games.refusals import Refused

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from casino.house.acts.game_streams.loading import Loaded
    from casino.words.presenters.presenter import Course, Presenter
    from games.game import Json
    from games.messages import Fact
    from games.session import GameSession
    from ledger.wire import StoredEvent

ON_ITS_WAY: Final = 2
"""
By how many times the house's seconds an undo may reach the house later than the throw did, if the
device says that it was made in time. A device whose clock lies gains no more than that.
"""


def last_command(loaded: Loaded) -> StoredEvent | None:
    """The first event of the last command of play that stands; None before the opening."""
    live = loaded.state.live
    return None if live is None else loaded.events[live.value.first - 1]


def is_open(loaded: Loaded, seconds: int, now: datetime) -> bool:
    """Whether an undo that is made now, on any device, comes in time for the last command."""
    last = last_command(loaded)
    if last is None or not seconds:
        return False
    return now - last.provenance.recorded_at <= timedelta(seconds=seconds)


def in_time(
    loaded: Loaded, seconds: int, *, device: str, made_at: datetime, received_at: datetime
) -> bool:
    """
    Whether an undo comes in time for the last command of play.

    :param device: the device that sends the undo; `made_at`: when it was made, by the clock of that
        device; `received_at`: now, by the house's clock.
    """
    last = last_command(loaded)
    if last is None or not seconds:
        return False
    given = timedelta(seconds=seconds)
    by_house = received_at - last.provenance.recorded_at
    by_device = made_at - last.provenance.occurred_at
    if last.provenance.device != device or by_device < timedelta(0):
        return by_house <= given  # two clocks, or one that was set back, tell nothing
    return by_device <= given and by_house <= ON_ITS_WAY * given


def seconds_left(loaded: Loaded, seconds: int, now: datetime) -> int:
    """The whole seconds in which the last command may still be undone; 0 if none are left."""
    last = last_command(loaded)
    if last is None or not is_open(loaded, seconds, now):
        return 0
    return seconds - int((now - last.provenance.recorded_at).total_seconds())


# What a void takes back, what is entered instead, and how the game would go on: for whoever asks
# for it or decides it (G4).


LISTED: Final = 12
"""How many of the entries that go back are listed, the newest; the others are counted."""


@dataclass(frozen=True)
class Then:
    """A game as it was, or would be: a `casino.words.presenters.presenter.Course`."""

    facts: Sequence[Fact]
    live: Sequence[tuple[int, Fact]]
    state: GameSession[Any]
    view: Json


@dataclass(frozen=True, slots=True)
class Change:
    """
    What is entered instead of what a void takes back.

    :param raw: the command, with tokens. :param only: what came after it is not entered again.
    :param before: it was left out: what is taken back is entered again after it.
    """

    raw: Mapping[str, Any]
    only: bool = False
    before: bool = False


def before(loaded: Loaded, number: int) -> Then:
    """The game as it was before the event of that number."""
    return _course(loaded, loaded.facts[: number - 1])


def after(loaded: Loaded, back_to: int, change: Change) -> Then:
    """
    The game as it would be after a void and what is entered instead.

    :raises Refused: if the rules do not allow that.
    """
    decider = loaded.ruleset.decider
    facts = (*loaded.facts, Voided(back_to, "", "", corrected=True))
    later = corrections.later(
        loaded.history, loaded.ruleset.command_of, back_to, before=change.before
    )
    commands = (
        corrections.read(change.raw, loaded.ruleset.parse), *(() if change.only else later)
    )  # fmt: skip
    at = int(timezone.now().timestamp())
    return _course(loaded, (*facts, *corrections.enter(commands, decider, decider.fold(facts), at)))


def _course(loaded: Loaded, facts: Sequence[Fact]) -> Then:
    history = tuple(enumerate(facts, 1))
    state = loaded.ruleset.decider.fold(facts)
    return Then(facts, live(history), state, loaded.ruleset.view(history, session=state))


def effects(
    loaded: Loaded,
    back_to: int,
    asked_at: int,
    change: Change | None = None,
    people: dict[str, str] | None = None,
) -> dict[str, Any]:
    """
    What a void back to an event takes back; with tokens instead of names.

    ``entries``: what was entered, oldest first, each with dice, hand and payments, and whether it
    came ``since`` the request; ``more``: how many before these are not listed. ``asked``: how many
    entries were there when it was asked for; ``since``: how many came later. ``paid``: all payments
    that go back, in coins. ``stakes``: the stakes that change, now and then.
    ``goes_on``: what the table would do next. ``through``: the last event that goes back.
    ``instead``: the entries that come in place of these, None if none do; ``unfit``: why they could
    not, so that nothing would be changed.

    :param asked_at: the number of the request's own event.
    :param people: the names of who recorded it, by id, where they are known for several games.
    """
    gone = [(number, fact) for number, fact in loaded.live if number >= back_to]
    then, presenter = before(loaded, back_to), PRESENTERS[loaded.ruleset.id]
    people = staff_names(loaded) if people is None else people
    entries = _entries(loaded, presenter, people, gone)
    for entry in entries:
        at = loaded.events[entry["number"] - 1].provenance.occurred_at
        entry |= {
            "at": at.isoformat(),
            "clock": locales.clock(at),
            "since": entry["number"] > asked_at,
        }
    since = sum(each["since"] for each in entries)
    instead, unfit = None, ""
    if change is not None:
        try:
            then = after(loaded, back_to, change)
        except Refused as refused:
            unfit = str(refused)
        else:
            new = [each for each in then.live if each[0] > loaded.version]
            instead = _entries(then, presenter, people, new)
    return {
        "entries": entries[-LISTED:],
        "more": max(0, len(entries) - LISTED),
        "asked": len(entries) - since,
        "since": since,
        "paid": sum(each.amount for _number, fact in gone for each in fact.payments),
        "stakes": _stakes(loaded, then) if presenter.for_money(loaded) else [],
        "goes_on": presenter.upcoming(then, then.view)["sentence"],
        "instead": instead and instead[-LISTED:],
        "unfit": unfit,
        "through": loaded.version,
    }


def _entries(
    game: Course,
    presenter: Presenter,
    people: dict[str, str],
    numbered: Sequence[tuple[int, Fact]],
) -> list[dict[str, Any]]:
    """One entry for each command among the events, with what followed from it."""
    entries: list[dict[str, Any]] = []
    for number, fact in numbered:
        line = presenter.describe(game, fact, people)
        if not fact.consequence or not entries:
            entries.append({"number": number, "payments": [], "line": line, "followed": []})
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


def _stakes(loaded: Loaded, then: Then) -> list[dict[str, Any]]:
    now = loaded.view["stakes"]
    earlier = then.view["stakes"]
    return [
        {"player": player, "now": stake, "then": earlier.get(player, 0)}
        for player, stake in now.items()
        if stake != earlier.get(player, 0)
    ]
