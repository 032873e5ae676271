"""
Late entries: what was made under a lapsed lease, or handed on, goes to a supervisor (E5).

An entry stands in the ledger with tokens for every word of it, so names can be erased; putting it
to the game uses a command id that follows from its own and from how often the rules refused it.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from casino.attendants import permissions
from casino.devices import device_log
from casino.game_streams.loading import GameKey
from casino.operations import acts
from casino.play import commands, operations
from casino.pseudonyms import tokens as pseudonyms
from casino.settlement import settling
from games.refusals import Refused
from ledger import journal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime
    from uuid import UUID

    from casino.attendants.models import Attendant
    from casino.establishments.models import Establishment

TRIES = 5  # how often an entry is put anew when its trail moved meanwhile
PLAIN = frozenset({"do", "command_id", "occurred_at"})  # of every command, and no words of people


class NotWaiting(Refused):
    code = "not_waiting"


class ReasonNeeded(Refused):
    code = "reason_needed"


class Unreadable(Refused):
    code = "unreadable"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """
    An entry as a device sent it.

    :param raw: the command with names; None where it could not be read, then `words` is what it
        said. :param made_at: by the device's clock, ISO 8601.
    """

    game: UUID
    table: str
    device: str
    seq: int
    term: int | None
    made_by: str
    made_at: str
    command_id: UUID
    raw: Mapping[str, Any] | None
    words: str = ""

    def kept(self, house: Establishment) -> dict[str, Any]:
        """As it may stand in the ledger for ever."""
        return {
            "game": str(self.game),
            "table": self.table,
            "device": self.device,
            "seq": self.seq,
            "term": self.term,
            "made_by": self.made_by,
            "made_at": self.made_at,
            "command_id": str(self.command_id),
            "command": None if self.raw is None else tokens_for(house.pk, self.raw),
            "words": pseudonyms.keep(house.pk, self.words) if self.words else "",
        }


def tokens_for(establishment: UUID, raw: Mapping[str, Any]) -> dict[str, Any]:
    """A command with a token for each word in it: where a reason belongs people write names."""
    command = commands.with_tokens(establishment, raw)
    return {
        name: value if name in PLAIN else _worded(establishment, value)
        for name, value in command.items()
    }


def _worded(establishment: UUID, value: Any) -> Any:
    match value:
        case str():
            return (
                value
                if not value or pseudonyms.is_token(value)
                else pseudonyms.keep(establishment, value)
            )
        case dict():
            return {name: _worded(establishment, each) for name, each in value.items()}
        case list() | tuple():
            return [_worded(establishment, each) for each in value]
        case _:
            return value


def list_(act: acts.Act, sent: Sent, *, why: str, refused: str = "") -> None:
    """
    Keep an entry for a supervisor.

    :param act: its command id: the entry's own, so that an entry is put or listed and never both.
    :param refused: what the rules said to it, if they were asked, as its receipt has it.
    :raises CommandReused: if the entry was put meanwhile.
    """
    data = {**sent.kept(act.house), "why": why, "refused": refused}
    _note(act, sent.game, lambda _trail: (device_log.LISTED, data))


def drop(act: acts.Act, sent: Sent, *, refused: str = "") -> None:
    """Note that the attendant gave an entry up, by name; it is never put."""
    data = {**sent.kept(act.house), "refused": refused}
    _note(act, sent.game, lambda _trail: (device_log.DROPPED, data))


def dismiss(act: acts.Act, *, game: UUID, entry: int, reason: str) -> None:
    """
    Take a late entry off the list without putting it, for a reason.

    :param act: with the supervisor. :param entry: its number in the game's trail.
    :raises NotYours: if they may not approve at the house.
    :raises ReasonNeeded: without one.
    :raises NotWaiting: if it does not wait (any more).
    """
    text = _reason(act, reason)

    def decided(now: device_log.DeviceLog) -> tuple[str, dict[str, Any]]:
        listed = _waiting(now, entry)
        return device_log.DISMISSED, {**about(listed, entry), "reason": text}

    _note(act, game, decided)


def close_gap(act: acts.Act, *, game: UUID, gap: int, reason: str) -> None:
    """
    Put down why numbers of a device are missing: they are looked for no more.

    :raises NotYours: if the person may not approve at the house.
    :raises ReasonNeeded: without one.
    :raises NotWaiting: if it is no open gap (any more).
    """
    text = _reason(act, reason)

    def decided(now: device_log.DeviceLog) -> tuple[str, dict[str, Any]]:
        found = now.gaps.get(gap)
        if found is None or not found.open:
            raise NotWaiting("This gap is closed, or was filled meanwhile.")
        return device_log.GAP_CLOSED, {
            "game": str(game), "gap": gap, "device": found.device,
            "first": found.first, "last": found.last,
            "missing": sorted(found.missing)[:100], "reason": text,
        }  # fmt: skip

    _note(act, game, decided)


def put(  # noqa: PLR0913 - who, what, where from and when
    *, by: Attendant, house: Establishment, game: UUID, entry: int, now: datetime, device: str
) -> journal.Refusal | None:
    """
    Put a late entry to its game as it stands now, by whoever is signed in, with who made it.

    :return: None once it is recorded; what the rules say against it: it stays on the list with it.
    :raises NotYours: if the person may not approve at the house.
    :raises NotWaiting: if it does not wait (any more).
    :raises Unreadable: if it is no command: it can only be dismissed.
    :raises StreamMoved: if the game moves faster than it can be put.
    """
    permissions.require(by, "approve", house)
    for tries in range(TRIES, 0, -1):
        trailed = device_log.load(house.pk, game)
        listed = _waiting(trailed, entry)
        raw = _command(house, listed)
        data = {**about(listed, entry), "asked_by": listed.data["made_by"]}
        if raw["do"] == "cash_out":
            settling.book(GameKey(house.pk, game))
        try:
            answer = operations.command(
                by=by,
                house=house,
                game=game,
                raw=raw,
                now=now,
                device=device,
                seen={device_log.stream_of(game): trailed.version},
                extra_events=[device_log.happened(device_log.PUT, game, data)],
            )
        except journal.StreamMoved:
            if tries == 1:
                raise
            continue
        if answer.refusal is None:
            _publish(house, answer)
            return None
        _refused(acts.Act(
            house=house, by=by, device=device, now=now, command_id=uuid.UUID(raw["command_id"]),
            request={},
        ), game, entry, answer.refusal)  # fmt: skip
        return answer.refusal
    raise AssertionError("answered or raised before")


def about(listed: device_log.Waiting, entry: int) -> dict[str, Any]:
    """What an event about an entry says of it."""
    named = ("game", "table", "device", "seq", "made_by", "made_at", "command_id")
    return {"entry": entry, **{name: listed.data[name] for name in named}}


def _command(house: Establishment, listed: device_log.Waiting) -> dict[str, Any]:
    """The command again, with names, under the id of this try."""
    if listed.data["command"] is None:
        raise Unreadable("This entry cannot be read: dismiss it, and record what it was by hand.")
    raw: dict[str, Any] = pseudonyms.resolve(house.pk, listed.data["command"])
    tried = uuid.uuid5(uuid.UUID(listed.data["command_id"]), f"late/{listed.tries}")
    return {**raw, "command_id": str(tried)}


def _refused(act: acts.Act, game: UUID, entry: int, refusal: journal.Refusal) -> None:
    """Note what the rules said; of a try that is noted already nothing more."""
    tried = act.command_id
    noted = replace(
        act, command_id=uuid.uuid5(tried, "refused"), request={"do": "refused", "try": str(tried)}
    )

    def decided(now: device_log.DeviceLog) -> tuple[str, dict[str, Any]] | None:
        listed = now.waiting.get(entry)
        if listed is None:
            return None
        data = {**about(listed, entry), "code": refusal.code, "refused": refusal.detail}
        return device_log.REFUSED, data

    _note(noted, game, decided)


def _reason(act: acts.Act, reason: str) -> str:
    """The reason's token; who decides may, and says why."""
    if act.by is not None:
        permissions.require(act.by, "approve", act.house)
    if not reason.strip():
        raise ReasonNeeded("Say why, in a few words: it stands in the exception report. C2")
    return pseudonyms.keep(act.house.pk, reason.strip())


def _waiting(now: device_log.DeviceLog, entry: int) -> device_log.Waiting:
    if entry not in now.waiting:
        raise NotWaiting("This entry waits no more: somebody has put or dismissed it.")
    return now.waiting[entry]


def _note(
    act: acts.Act,
    game: UUID,
    decided: Callable[[device_log.DeviceLog], tuple[str, dict[str, Any]] | None],
) -> journal.Receipt:
    """One event on the game's trail, decided on the trail as it is then."""

    def decide() -> acts.Done:
        now = device_log.load(act.house.pk, game)
        found = decided(now)
        events = [device_log.happened(found[0], game, found[1])] if found else []
        return acts.Done(guards={device_log.stream_of(game): now.version}, events=events)

    return acts.perform(act, decide)


def _publish(house: Establishment, answer: Any) -> None:
    """Lists know it at once, without waiting for a worker."""
    position = answer.receipt.last_position
    if position is not None:
        acts.performed.send(acts.Act, establishment=house.pk, position=position)
