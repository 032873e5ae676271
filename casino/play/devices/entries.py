"""
Entries of floor devices: each is recorded, refused, listed as late, or dropped.

The ledger answers the command id of an entry only once: either with what the rules decided or with
a place on the supervisor's list, never with both, however often and however late it is sent.
"""

from __future__ import annotations

import uuid
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext as _

from casino.house.acts import acts
from casino.house.acts.game_streams.loading import GameKey
from casino.house.attendants.pseudonyms import tokens as pseudonyms
from casino.play.core import operations
from casino.play.devices import device_log, late, leases
from casino.play.devices.models import DeviceEntry
from casino.play.settlement import subscriber
from casino.words.languages.messages import translate
from games.refusals import Malformed, Refused
from ledger import journal
from ledger.models import CommandReceipt, Event

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime
    from uuid import UUID

    from casino.house.attendants.models import Attendant
    from casino.house.establishments.models import Establishment
    from casino.play.core.core import Answer

As = Literal["command", "late", "dropped"]
Became = Literal["recorded", "refused", "late", "dropped"]
TRIES: Final = 5  # attempts at an entry whose lease or stream moved meanwhile


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """
    An entry as it arrived.

    :param term: the term of the lease under which it was made; None: the device had no lease yet.
    :param raw: the command, with names; None if the form was not valid, then `problem` says why.
    :param words: the form as it was sent, for people to read if `raw` is None.
    """

    seq: int
    term: int | None
    at: datetime
    as_: As
    raw: Mapping[str, Any] | None
    problem: str = ""
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    seq: int
    command_id: UUID
    became: Became
    code: str = ""
    sentence: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenOver:
    """
    That a supervisor sends the entries of somebody who does not come back to the device (C1, E5).

    They are listed as late entries, each with who made it, who took it over, and why; none is put
    to its game by being sent.

    :param made_by: the id of who made them.
    """

    made_by: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    """A device at a game, and the attendant who uses it, or the supervisor who takes over."""

    name: str
    house: Establishment
    game: UUID
    table: str
    by: Attendant
    now: datetime
    taken_over: TakenOver | None = None

    @property
    def made_by(self) -> str:
        """The id of who made the entries: whoever sends them, or from whom they are taken over."""
        return self.taken_over.made_by if self.taken_over else str(self.by.pk)

    def act(self, command_id: UUID, **fields: object) -> acts.Act:
        return acts.Act(
            house=self.house,
            by=self.by,
            device=self.name,
            now=self.now,
            command_id=command_id,
            request={"game": str(self.game), **fields},
        )

    def put(self, raw: Mapping[str, Any], seen: Mapping[str, int]) -> Answer:
        """
        Put a command of this device to the game, like `operations.command`.

        :param seen: the lease's stream and the term that guards the command; empty if none does.
        """
        if raw["do"] == "cash_out":
            subscriber.book_at_once(GameKey(self.house.pk, self.game))
        answer = operations.command(
            by=self.by,
            house=self.house,
            game=self.game,
            raw=raw,
            now=self.now,
            device=self.name,
            seen=seen,
        )
        if raw["do"] == "handover":
            act = self.act(uuid.uuid5(answer.receipt.command_id, "lease"), do="follow")
            leases.move_with_handover(
                act, game=self.game, table=self.table, happened=answer.events()
            )
        return answer


def put(device: Device, given: Sequence[Given]) -> list[Answered]:
    """
    Put entries in order until one is refused; the entries after that one stay with the device.

    An entry made under a lapsed lease is listed for a supervisor, and the next entry is taken. If
    the game moves too fast for an entry, it gets no answer, and the device sends it again.
    """
    before = device_log.last_seq(device.house.pk, device.game, device.name)
    answers: list[Answered] = []
    with suppress(journal.StreamMoved):
        for entry in given:
            answers.append(_Entry(device, entry).answer())
            if answers[-1].became == "refused":
                break
    seqs = [answer.seq for answer in answers]
    act = device.act(uuid.uuid4(), do="look_for_gaps")
    device_log.look_for_gaps(act, game=device.game, table=device.table, before=before, seqs=seqs)
    return answers


def _uuid(given: object) -> UUID | None:
    try:
        return uuid.UUID(given) if isinstance(given, str) else None
    except ValueError:
        return None


class _Entry:
    """The handling of one entry: its number is claimed, then it is put, listed or dropped."""

    def __init__(self, device: Device, given: Given) -> None:
        self.device, self.given = device, given
        self.house = device.house
        # An entry without a command id gets one that is the same however often it is sent.
        named = _uuid((given.raw or {}).get("command_id"))
        self.id = named or uuid.uuid5(device.game, f"{device.name}/{given.seq}")

    def answer(self) -> Answered:
        try:
            fresh = device_log.claim(self._row())
            return self._settle_first(fresh=fresh)
        except Malformed as malformed:
            return self._became("refused", "malformed", translate(str(malformed)))
        except Refused as refused:
            return self._became("refused", refused.code, translate(str(refused)))
        except PermissionDenied as denied:
            return self._became(
                "refused", getattr(denied, "code", "denied"), translate(str(denied))
            )
        except journal.CommandReused as reused:
            return self._became("refused", reused.code, translate(str(reused)))

    def _settle_first(self, *, fresh: bool) -> Answered:
        for tries in range(TRIES, 0, -1):
            receipts = {} if fresh else self._receipts()
            if (known := self._earlier_answer(receipts)) is not None:
                return known
            try:
                return self._once(receipts.get(self.id))
            except (journal.StreamMoved, journal.CommandReused):
                fresh = False  # another request was faster: it moved the lease, or put this entry
                if tries == 1:
                    raise
        raise AssertionError("answered or raised before")

    def _once(self, receipt: CommandReceipt | None) -> Answered:
        """:param receipt: the receipt of the entry's own command, if it was put before."""
        match self.given.as_:
            case "late":
                return self._put_on_list("taken" if self.device.taken_over else "handed", receipt)
            case "dropped":
                late.drop(self._act("dropped", receipt), self._as_late(), refused=_refusal(receipt))
                return self._became("dropped")
        if self.given.raw is None:
            raise Malformed(self.given.problem)
        if receipt is not None or self.given.raw["do"] in leases.EXEMPT:
            return self._stored_answer(self._answer({}))
        lease = self._lease()
        if not self._is_under(lease):
            return self._put_on_list("lapsed", None)
        return self._stored_answer(self._answer({leases.stream_of(self.device.game): lease.term}))

    def _lease(self) -> leases.Lease:
        """The game's current lease; the first entry of a game takes it."""
        lease = leases.standing(self.house.pk, self.device.game)
        if lease.held or self.given.term:
            return lease
        act = self.device.act(uuid.uuid5(self.id, "lease"), do="take")
        return leases.take(act, game=self.device.game, table=self.device.table, free_only=True)

    def _is_under(self, lease: leases.Lease) -> bool:
        made_under = self.given.term
        return lease.is_of(self.device.name) and made_under in {None, 0, lease.term}

    def _answer(self, seen: Mapping[str, int]) -> Answer:
        return self.device.put(self.given.raw or {}, seen)

    def _stored_answer(self, answer: Answer) -> Answered:
        if answer.refusal is None:
            return self._became("recorded")
        sentence = pseudonyms.resolve_text(self.house.pk, answer.refusal.detail)
        return self._became("refused", answer.refusal.code, sentence)

    def _put_on_list(self, why: str, receipt: CommandReceipt | None) -> Answered:
        late.list_(self._act("late", receipt), self._as_late(), why=why, refused=_refusal(receipt))
        return self._became("late")

    # --- Whether the entry was answered before

    def _receipts(self) -> dict[UUID, CommandReceipt]:
        rows = CommandReceipt.objects.filter(
            establishment=self.house.pk,
            command_id__in=[self.id, *map(self._id_of_listed, OUTSIDE_GAME)],
        )
        return {row.command_id: row for row in rows}

    def _earlier_answer(self, receipts: Mapping[UUID, CommandReceipt]) -> Answered | None:
        """The answer that the entry got before; None if the rules have to be asked (again)."""
        for became in OUTSIDE_GAME:
            if self._id_of_listed(became) in receipts:
                return self._became(became)
        own = receipts.get(self.id)
        if own is None or own.first_position is None:
            return None
        events = Event.objects.filter(establishment=self.house.pk, position=own.first_position)
        kept = KEPT.get(events.values_list("event_type", flat=True).get())
        if kept is not None:
            return self._became(kept)
        return None if self.given.as_ == "command" else self._became("recorded")

    def _id_of_listed(self, became: Became) -> UUID:
        """The id under which an entry that was refused is listed or dropped."""
        return uuid.uuid5(self.id, became)

    def _act(self, became: Became, receipt: CommandReceipt | None) -> acts.Act:
        """
        The act that lists or drops the entry.

        It uses the entry's own command id, so that an entry is either put or listed, never both. If
        the rules refused the entry, that id is used, and the act gets another one.
        """
        command_id = self.id if receipt is None else self._id_of_listed(became)
        return self.device.act(command_id, do=became, device=self.device.name, seq=self.given.seq)

    def _became(self, became: Became, code: str = "", sentence: str = "") -> Answered:
        if became == "late":
            code, sentence = "late", _("It waits for a supervisor, on the list of late entries.")
        return Answered(
            seq=self.given.seq, command_id=self.id, became=became, code=code, sentence=sentence
        )

    def _row(self) -> DeviceEntry:
        device = self.device
        return DeviceEntry(
            establishment_id=self.house.pk,
            game=device.game,
            device=device.name,
            seq=self.given.seq,
            command_id=self.id,
            term=self.given.term,
            made_by=device.made_by,
            made_at=self.given.at,
            received_at=device.now,
        )

    def _as_late(self) -> late.Sent:
        device = self.device
        return late.Sent(
            game=device.game,
            table=device.table,
            device=device.name,
            seq=self.given.seq,
            term=self.given.term,
            made_by=device.made_by,
            made_at=self.given.at.isoformat(),
            command_id=self.id,
            raw=self.given.raw,
            words=self.given.words if self.given.raw is None else "",
            taken_over_why=device.taken_over.why if device.taken_over else "",
        )


OUTSIDE_GAME: Final[tuple[Became, ...]] = ("late", "dropped")
KEPT: Final[Mapping[str, Became]] = {device_log.LISTED: "late", device_log.DROPPED: "dropped"}


def _refusal(receipt: CommandReceipt | None) -> str:
    return (receipt.refusal_detail or "") if receipt is not None else ""


# Commands posted by a form, without number or term; only the recording device may send them.


class NotRecording(Refused):
    code = "not_recording"


def put_form(device: Device, raw: Mapping[str, Any]) -> Answer:
    """
    Put a command of this device to its game; the device takes the lease if nobody has it.

    :raises NotRecording: if another device records the game; the command is not put.
    :raises NotYours: :raises Malformed: :raises StreamMoved: as `operations.command`.
    """
    operations.check_shape(raw)
    stream = leases.stream_of(device.game)
    seen = {} if _needs_none(device, raw) else {stream: _term(device, raw["command_id"])}
    try:
        return device.put(raw, seen)
    except journal.StreamMoved as moved:
        if moved.stream == stream:
            raise _not_recording() from None
        raise


def _needs_none(device: Device, raw: Mapping[str, Any]) -> bool:
    """Whether a command needs no lease: a second person's act, or a command answered before."""
    if raw["do"] in leases.EXEMPT:
        return True
    rows = CommandReceipt.objects.filter(
        establishment=device.house.pk, command_id=raw["command_id"]
    )
    return rows.exists()


def _term(device: Device, command_id: str) -> int:
    """The term under which this device records; the device takes the lease if it is free."""
    lease = leases.standing(device.house.pk, device.game)
    if not lease.held:
        act = device.act(uuid.uuid5(uuid.UUID(command_id), "lease"), do="take")
        lease = leases.take(act, game=device.game, table=device.table, free_only=True)
    if not lease.is_of(device.name):
        raise _not_recording()
    return lease.term


def _not_recording() -> NotRecording:
    return NotRecording(
        _("Another device records this table: take the recording over first, or look on.")
    )
