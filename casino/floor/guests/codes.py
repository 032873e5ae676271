"""
The code from the desk, which opens a player's own page of the guests' pages.

It is about one event, by which somebody at the desk gave it out for a player, and has a hash keyed
by the house, of 132 bits: nobody guesses it, and nobody makes it from another one. It names no
player. It ends after some days, when it is ended, when the player gets another, and when their name
is erased. The last event of the stream ``guest-code/<player>`` is the newest code, or its end.
"""

from __future__ import annotations

import hmac
import re
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import TYPE_CHECKING, Final

from casino.house.acts import acts
from casino.house.attendants import permissions
from casino.house.establishments.gaming_day import current
from casino.house.pseudonyms import tokens
from casino.money.payouts import slip_codes
from casino.play.exclusions.operations import NoSuchPlayer
from games.refusals import Refused
from ledger import journal

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from casino.house.establishments.models import Establishment
    from ledger.wire import StoredEvent

GIVEN, ENDED = "player.code_given", "player.code_ended"
SALT: Final = "casino.floor.guests.codes"
CODE: Final = re.compile(r"([0-9]{1,15})-([A-Za-z0-9_-]{22})")
LASTS: Final = timedelta(days=7)
"""How long a code opens the page, from the gaming day on which it was given out."""


class NoGuestsPage(Refused):
    code = "no_guests_page"


class NoCode(Refused):
    code = "no_code"


@dataclass(frozen=True, slots=True)
class Code:
    """
    A code that was given out.

    :param until: the last gaming day on which it opens the page.
    """

    text: str
    player: str
    until: date


def give(act: acts.Act, *, player: str) -> Code:
    """
    Give out a code for a player; the one that they had ends.

    :raises NotYours: if the person may not record at the house.
    :raises NoGuestsPage: if the house has switched its guests' page off.
    :raises NoSuchPlayer: if the house knows no such player, or their name is erased.
    """

    def decide() -> acts.Done:
        if not act.house.guests:
            raise NoGuestsPage("This house has no page for guests: a manager switches it on.")
        if not tokens.names(act.house.pk, {player}):
            raise NoSuchPlayer(f"This house knows no player {player}. P1")
        until = current(act.house, act.now) + LASTS
        return _record_code(act, GIVEN, player, until=until.isoformat())

    receipt = _perform(act, {"do": "give_code", "player": player}, decide)
    [event] = acts.events_of(act.house.pk, receipt)
    return _code_of(act.house, event)


def end(act: acts.Act, *, player: str) -> None:
    """
    End the code that a player has.

    :raises NotYours: as `give`.
    :raises NoCode: if they have none.
    """

    def decide() -> acts.Done:
        last = journal.last(establishment=act.house.pk, stream=stream_of(player))
        if last is None or last.event_type != GIVEN:
            raise NoCode(f"{player} has no code for the guests' page.")
        return _record_code(act, ENDED, player)

    _perform(act, {"do": "end_code", "player": player}, decide)


def find(house: Establishment, text: str) -> Code | None:
    """The code that a text is; None if the house gave out no such code."""
    found = CODE.fullmatch(text)
    if found is None:
        return None
    position = int(found[1])
    if not hmac.compare_digest(slip_codes.sign(house, SALT, position), found[2]):
        return None
    events = journal.read(establishment=house.pk, after=position - 1, limit=1)
    return _code_of(house, events[0]) if events else None


def is_open(house: Establishment, code: Code, now: datetime) -> bool:
    """Whether a code opens the page now."""
    last = journal.last(establishment=house.pk, stream=stream_of(code.player))
    newest = last is not None and last.event_type == GIVEN and _code_of(house, last) == code
    has_name = bool(tokens.names(house.pk, {code.player}))
    return newest and current(house, now) <= code.until and has_name


def stream_of(player: str) -> str:
    return f"guest-code/{player}"


def _code_of(house: Establishment, event: StoredEvent) -> Code:
    text = f"{event.position}-{slip_codes.sign(house, SALT, event.position)}"
    return Code(text, event.data["player"], date.fromisoformat(event.data["until"]))


def _perform(
    act: acts.Act, fields: dict[str, object], decide: Callable[[], acts.Done]
) -> journal.Receipt:
    if act.by is not None:
        permissions.require(act.by, "record", act.house)
    return acts.perform(replace(act, request=fields), decide)


def _record_code(act: acts.Act, event_type: str, player: str, **more: str) -> acts.Done:
    stream = stream_of(player)
    event = journal.NewEvent(
        stream=stream, event_type=event_type, schema_version=1, data={"player": player, **more}
    )
    guards = journal.versions(establishment=act.house.pk, streams=[stream])
    return acts.Done(guards=guards, events=[event])
