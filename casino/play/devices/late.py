"""
Late entries: entries made under a lapsed lease, or handed to a supervisor, who decides (E5).

The ledger has a late entry with a token for every text in it, so names can be erased. The command
that puts it to the game has an id derived from the entry's id and from how often the rules refused
it; or from the id of the request of a program, which may have to send it again.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from casino.engine.processes import signals
from casino.house.acts import acts
from casino.house.acts.game_streams.loading import GameKey
from casino.house.attendants import permissions
from casino.house.attendants.pseudonyms import tokens as pseudonyms
from casino.play.core import commands, operations
from casino.play.devices import device_log, queries
from casino.play.settlement import subscriber
from games.refusals import Refused
from ledger import journal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime
    from uuid import UUID

    from casino.house.attendants.models import Attendant
    from casino.house.establishments.models import Establishment

AT_ONCE = 100  # late entries that are put at most with one request
TRIES = 5  # attempts to put an entry whose stream moved meanwhile
PLAIN = frozenset({"do", "command_id", "occurred_at"})  # fields without anything people wrote


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

    :param raw: the command with names; None if it could not be read, then `words` is what was
        sent. :param made_at: by the device's clock, ISO 8601. :param taken_over_why: the reason of
        a supervisor who sends what somebody else has made; "": whoever made it sends it.
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
    taken_over_why: str = ""

    def kept(self, house: Establishment) -> dict[str, Any]:
        """The entry in the form that the ledger keeps: with tokens instead of texts."""
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
            **self._takeover(house),
        }

    def _takeover(self, house: Establishment) -> dict[str, str]:
        if not self.taken_over_why:
            return {}
        return {"reason": pseudonyms.keep(house.pk, self.taken_over_why)}


def tokens_for(establishment: UUID, raw: Mapping[str, Any]) -> dict[str, Any]:
    """A command with a token for each text in it, because people also write names in reasons."""
    command = commands.with_tokens(establishment, raw)
    return {
        name: value if name in PLAIN else _with_names(establishment, value)
        for name, value in command.items()
    }


def _with_names(establishment: UUID, value: Any) -> Any:
    match value:
        case str():
            return (
                value
                if not value or pseudonyms.is_token(value)
                else pseudonyms.keep(establishment, value)
            )
        case dict():
            return {name: _with_names(establishment, each) for name, each in value.items()}
        case list() | tuple():
            return [_with_names(establishment, each) for each in value]
        case _:
            return value


def list_(act: acts.Act, sent: Sent, *, why: str, refused: str = "") -> None:
    """
    Put an entry on the supervisor's list of late entries.

    :param act: has the entry's own command id, so that an entry is put or listed, never both.
    :param refused: the refusal, if the rules refused the entry, as its receipt has it.
    :raises CommandReused: if the entry was put meanwhile.
    """
    data = {**sent.kept(act.house), "why": why, "refused": refused}
    _note(act, sent.game, lambda _trail: (device_log.LISTED, data))


def drop(act: acts.Act, sent: Sent, *, refused: str = "") -> None:
    """Record that the attendant (who is named) gave an entry up; it is never put to the game."""
    data = {**sent.kept(act.house), "refused": refused}
    _note(act, sent.game, lambda _trail: (device_log.DROPPED, data))


def dismiss(act: acts.Act, *, game: UUID, entry: int, reason: str) -> None:
    """
    Take a late entry off the list without putting it, for a reason.

    :param act: the supervisor's act. :param entry: its number in the game's device log.
    :raises NotYours: if the person may not approve at the house.
    :raises ReasonNeeded: if the reason is empty.
    :raises NotWaiting: if the entry does not wait (any more).
    """
    text = _reason(act, reason)

    def decided(now: device_log.DeviceLog) -> tuple[str, dict[str, Any]]:
        listed = _waiting(now, entry)
        return device_log.DISMISSED, {**about(listed, entry), "reason": text}

    _note(act, game, decided)


def close_gap(act: acts.Act, *, game: UUID, gap: int, reason: str) -> None:
    """
    Close a gap: record why numbers of a device are missing.

    :raises NotYours: if the person may not approve at the house.
    :raises ReasonNeeded: if the reason is empty.
    :raises NotWaiting: if the gap is not open (any more).
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
    *,
    by: Attendant,
    house: Establishment,
    game: UUID,
    entry: int,
    now: datetime,
    device: str,
    request: UUID | None = None,
) -> journal.Refusal | None:
    """
    Put a late entry to its game as the game is now; the event names who put it and who made it.

    :param request: the id of the request, if it may be sent again: it has the same answer then.
    :return: None if it is recorded; otherwise the rules' refusal, with which it stays listed.
    :raises NotYours: if the person may not approve at the house.
    :raises NotWaiting: if the entry does not wait (any more).
    :raises Unreadable: if it is not a command: it can only be dismissed.
    :raises StreamMoved: if the game moves too fast for it.
    """
    permissions.require(by, "approve", house)
    attempt = _attempt(request, game, entry) if request else None
    if attempt is not None and (known := _answer_before(house, game, attempt)) is not None:
        return known.refusal
    for tries in range(TRIES, 0, -1):
        trailed = device_log.load(house.pk, game)
        listed = _waiting(trailed, entry)
        raw = _command(house, listed, attempt)
        data = {**about(listed, entry), "asked_by": listed.data["made_by"]}
        if raw["do"] == "cash_out":
            subscriber.book_at_once(GameKey(house.pk, game))
        try:
            answer = operations.command(
                by=by,
                house=house,
                game=game,
                raw=raw,
                now=now,
                device=device,
                seen={device_log.stream_of(game): trailed.version},
                extra_events=[device_log.new_event(device_log.PUT, game, data)],
            )
        except journal.StreamMoved:
            if tries == 1:
                raise
            continue
        if answer.refusal is None:
            _publish(house, answer)
            return None
        _record_refusal(acts.Act(
            house=house, by=by, device=device, now=now, command_id=uuid.UUID(raw["command_id"]),
            request={},
        ), game, entry, answer.refusal)  # fmt: skip
        return answer.refusal
    raise AssertionError("answered or raised before")


@dataclass(frozen=True, slots=True)
class PutAll:
    """
    How far a game's late entries were recorded.

    :param stopped: the entry that was refused, with the refusal; it and later ones stay listed.
    """

    recorded: tuple[int, ...]
    stopped: tuple[int, journal.Refusal] | None = None


def put_all(  # noqa: PLR0913 - as `put`
    *,
    by: Attendant,
    house: Establishment,
    game: UUID,
    now: datetime,
    device: str,
    request: UUID | None = None,
) -> PutAll:
    """
    Put the late entries of a game in the order in which they were made, until one is refused.

    :param request: as for `put`: sent again, it goes on where it was cut off.
    :raises NotYours: :raises StreamMoved: as `put`.
    """
    recorded = [] if request is None else _entries_of_request(house, game, request)
    for row in queries.waiting_entries(house.pk).filter(game=game)[:AT_ONCE]:
        try:
            refusal = put(
                by=by, house=house, game=game, entry=row.number, now=now, device=device,
                request=request,
            )  # fmt: skip
        except (NotWaiting, Unreadable) as refused:
            refusal = journal.Refusal(code=refused.code, detail=str(refused))
        if refusal is not None:
            return PutAll(tuple(recorded), (row.number, refusal))
        recorded.append(row.number)
    return PutAll(tuple(recorded))


def _entries_of_request(house: Establishment, game: UUID, request: UUID) -> list[int]:
    """The entries that a request has recorded already, if it was sent before."""
    return [
        event.data["entry"]
        for event in journal.stream(establishment=house.pk, stream=device_log.stream_of(game))
        if event.event_type == device_log.PUT
        and event.provenance.command_id == _attempt(request, game, event.data["entry"])
    ]


def _attempt(request: UUID, game: UUID, entry: int) -> UUID:
    return uuid.uuid5(request, f"late/{game}/{entry}")


def about(listed: device_log.Waiting, entry: int) -> dict[str, Any]:
    """The data about a late entry that every later event about it repeats."""
    named = ("game", "table", "device", "seq", "made_by", "made_at", "command_id")
    return {"entry": entry, **{name: listed.data[name] for name in named}}


@dataclass(frozen=True, slots=True)
class Put:
    """The answer to an attempt to put an entry."""

    refusal: journal.Refusal | None


def _answer_before(house: Establishment, game: UUID, attempt: UUID) -> Put | None:
    """The answer that an attempt has had already, if any."""
    refused = _id_of_refusal(attempt)
    for event in journal.stream(establishment=house.pk, stream=device_log.stream_of(game)):
        if event.provenance.command_id == attempt:
            return Put(None)
        if event.provenance.command_id == refused:
            return Put(journal.Refusal(code=event.data["code"], detail=event.data["refused"]))
    return None


def _id_of_refusal(attempt: UUID) -> UUID:
    return uuid.uuid5(attempt, "refused")


def _command(
    house: Establishment, listed: device_log.Waiting, attempt: UUID | None
) -> dict[str, Any]:
    """The command of a late entry, with names, under the command id of this attempt."""
    if listed.data["command"] is None:
        raise Unreadable("This entry cannot be read: dismiss it, and record what it was by hand.")
    raw: dict[str, Any] = pseudonyms.resolve(house.pk, listed.data["command"])
    tried = uuid.uuid5(uuid.UUID(listed.data["command_id"]), f"late/{listed.tries}")
    return {**raw, "command_id": str(attempt or tried)}


def _record_refusal(act: acts.Act, game: UUID, entry: int, refusal: journal.Refusal) -> None:
    """Record that the rules refused a late entry; once for each attempt."""
    tried = act.command_id
    noted = replace(
        act, command_id=_id_of_refusal(tried), request={"do": "refused", "try": str(tried)}
    )

    def decided(now: device_log.DeviceLog) -> tuple[str, dict[str, Any]] | None:
        listed = now.waiting.get(entry)
        if listed is None:
            return None
        data = {**about(listed, entry), "code": refusal.code, "refused": refusal.detail}
        return device_log.REFUSED, data

    _note(noted, game, decided)


def _reason(act: acts.Act, reason: str) -> str:
    """The token of a reason, after checking that the person may decide and gave a reason."""
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
    """Append one event to the game's device log, decided on the log's current state."""

    def decide() -> acts.Done:
        now = device_log.load(act.house.pk, game)
        found = decided(now)
        events = [device_log.new_event(found[0], game, found[1])] if found else []
        return acts.Done(guards={device_log.stream_of(game): now.version}, events=events)

    return acts.perform(act, decide)


def _publish(house: Establishment, answer: Any) -> None:
    """Announce the event, so that lists show it at once, without waiting for a worker."""
    position = answer.receipt.last_position
    if position is not None:
        signals.performed.send(acts.Act, establishment=house.pk, position=position)
