"""
The bundle of a dispute: everything about it in one ZIP archive, written while it is sent (C3).

Events are the bodies as the ledger has them, with their leaf hashes, so that a recipient can verify
them against a checkpoint. Names are in a separate file, which lacks names that have been erased.
"""

from __future__ import annotations

import hashlib
import json
import re
import zipfile
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from django.template.loader import render_to_string

from casino.house.attendants.models import Attendant
from casino.house.attendants.pseudonyms import tokens
from casino.play.core import queries as play
from casino.proof.disputes import queries
from ledger import journal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from datetime import datetime

    from casino.house.establishments.models import Establishment
    from casino.proof.disputes.models import DisputeRow
    from casino.proof.disputes.queries import Whole
    from ledger.wire import StoredEvent

FORMAT: Final = "home-throw-dispute/1"
TOKENS: Final = re.compile(rb"p-[a-z2-9]{12}|t-[0-9a-f]{64}")
PEOPLE: Final = re.compile(rb"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
LINES: Final = 200  # lines written before the next part is sent


@dataclass(slots=True)
class Sink:
    """A file object for the archive: collects what is written until `taken`, and counts it."""

    written: int = 0
    waiting: list[bytes] = field(default_factory=list)

    def write(self, part: bytes) -> int:
        self.waiting.append(bytes(part))
        self.written += len(part)
        return len(part)

    def tell(self) -> int:
        return self.written

    def flush(self) -> None:
        """Do nothing: there is no file to flush to."""

    def take(self) -> bytes:
        parts, self.waiting = b"".join(self.waiting), []
        return parts


@dataclass(slots=True)
class Bundle:
    """:param by: who exports the bundle; `at`: when. The manifest has both."""

    house: Establishment
    whole: Whole
    by: Attendant
    at: datetime
    files: list[dict[str, Any]] = field(default_factory=list)
    tokens_found: set[str] = field(default_factory=set)
    people: set[str] = field(default_factory=set)
    counted: dict[str, int] = field(default_factory=dict)

    def stream(self) -> Iterator[bytes]:
        """The archive in parts, while it is written."""
        sink = Sink()
        with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:  # type: ignore[call-overload]  # a sink needs no more
            for name, content in self._content():
                yield from self._write(archive, sink, name, content())
            manifest = [_json(self._manifest())]
            yield from self._write(archive, sink, "manifest.json", manifest, listed=False)
        yield sink.take()

    def _content(self) -> Iterator[tuple[str, Callable[[], Iterable[bytes]]]]:
        """The files in order. Names are last but one, after all files with tokens are written."""
        loaded = self.whole.loaded
        yield "README.txt", lambda: [README.encode()]
        yield "dispute.json", lambda: [_json(self._dispute())]
        yield "explanation.json", lambda: [_json(self._explanation())]
        yield "round.html", lambda: [self._page()]
        yield "events.jsonl", lambda: self._events(loaded.key.stream)
        yield "settlement.jsonl", lambda: self._events(loaded.key.settlement)
        yield "transfers.jsonl", self._transfers
        yield "names.json", lambda: [_json(self._names())]

    def _write(
        self,
        archive: zipfile.ZipFile,
        sink: Sink,
        name: str,
        content: Iterable[bytes],
        *,
        listed: bool = True,
    ) -> Iterator[bytes]:
        entry = zipfile.ZipInfo(name, date_time=self.at.timetuple()[:6])
        entry.compress_type = zipfile.ZIP_DEFLATED
        digest, size = hashlib.sha256(), 0
        with archive.open(entry, "w") as file:
            for place, part in enumerate(content, 1):
                self._note_tokens(part)
                digest.update(part)
                size += len(part)
                file.write(part)
                if place % LINES == 0:
                    yield sink.take()
        if listed:
            self.files.append({"name": name, "bytes": size, "sha256": digest.hexdigest()})
        yield sink.take()

    def _note_tokens(self, part: bytes) -> None:
        self.tokens_found.update(each.decode() for each in TOKENS.findall(part))
        self.people.update(each.decode() for each in PEOPLE.findall(part))

    def _dispute(self) -> dict[str, Any]:
        card, whole = self.whole.card, self.whole
        row = card.row
        return {
            "establishment": {"id": str(self.house.pk), "name": self.house.name},
            "game": str(card.game),
            "kind": row.ruleset,
            "table": card.table,
            "dispute": card.number,
            "round": card.round,
            "payout": card.payout or None,
            "reason": card.reason,
            "raised_by": card.raised_by,
            "raised_at": card.raised_at.isoformat(),
            "gaming_day": row.gaming_day.isoformat(),
            "position": row.position,
            "recorded_by": sorted(whole.recorders.values()),
            "players": list(whole.players),
            "held": list(whole.held),
            "outcome": card.outcome or None,
            "decided_by": card.decided_by or None,
            "decided_at": card.decided_at.isoformat() if card.decided_at else None,
            "decision": card.decision or None,
            "history": [{**each, "at": each["at"].isoformat()} for each in whole.timeline],
        }

    def _explanation(self) -> list[dict[str, Any]]:
        return play.explanation(self.whole.loaded, self.whole.card.round)

    def _page(self) -> bytes:
        return render_to_string("proof/disputes/bundle_round.html", self._context()).encode()

    def _context(self) -> dict[str, Any]:
        return {"whole": self.whole, "card": self.whole.card, "story": self.whole.story,
                "house": self.house, "at": self.at}  # fmt: skip

    def _events(self, stream: str) -> Iterator[bytes]:
        """The events of a stream, one a line; `body` is exactly the text that was hashed."""
        for event in journal.stream(establishment=self.house.pk, stream=stream):
            self.counted[stream] = event.stream_version
            leaf = event.leaf_hash.hex()
            yield _line(
                {"position": event.position, "leaf_hash": leaf, "body": event.body.decode()}
            )

    def _transfers(self) -> Iterator[bytes]:
        """The transfers of the settlement events, in order."""
        for event in self._bookings():
            for transfer in event.transfers:
                yield _line({"position": event.position, **transfer})

    def _bookings(self) -> Iterator[StoredEvent]:
        key = self.whole.loaded.key
        for stream in (key.stream, key.settlement):
            yield from journal.stream(establishment=self.house.pk, stream=stream)

    def _names(self) -> dict[str, Any]:
        found = sorted(self.tokens_found)
        meant = tokens.resolve(self.house.pk, found)
        return {
            "players_and_texts": {
                token: each for token, each in zip(found, meant, strict=True) if each != token
            },
            "staff": self._staff(),
        }

    def _staff(self) -> dict[str, str]:
        """The names of people who work or worked here and whose ids are in some file."""
        here = Attendant.objects.filter(employments__establishment=self.house).distinct()
        known = {str(person.pk): str(person) for person in here}
        return {each: name for each, name in known.items() if each in self.people}

    def _manifest(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "establishment": str(self.house.pk),
            "game": str(self.whole.card.game),
            "dispute": self.whole.card.number,
            "rules": self.whole.loaded.ruleset.id,
            "rules_version": self.whole.loaded.ruleset.version,
            "ledger_position": journal.head(establishment=self.house.pk),
            "made_at": self.at.isoformat(),
            "made_by": str(self.by),
            "streams": self.counted,
            "files": self.files,
        }


def of(house: Establishment, row: DisputeRow, *, by: Attendant, at: datetime) -> Bundle:
    return Bundle(house, queries.whole(house, row), by, at)


def filename(row: DisputeRow) -> str:
    return f"dispute-{row.game}-{row.number}.zip"


def _json(value: Any) -> bytes:
    text = json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True, default=str)
    return f"{text}\n".encode()


def _line(value: Any) -> bytes:
    return f"{json.dumps(value, ensure_ascii=False, sort_keys=True)}\n".encode()


README: Final = """One dispute, whole.

manifest.json     what is in here: each file's size and SHA-256; the position that the house's
                  ledger had reached
dispute.json      what is disputed, by whom, what is held, how it ended, everything said about it
explanation.json  the disputed round as the rules explain it: each payment, its throws, its rules
round.html        the same to read, throw by throw
events.jsonl      the whole game, one event a line: its position in the house's ledger, the body as
                  it was recorded, the hash of its leaf
settlement.jsonl  what was booked, held and released for the game, in the same way
transfers.jsonl   the money moved by both: debit, credit, amount
names.json        whom and what the tokens in the events stand for

The leaf hash of an event is SHA-256 of a zero byte followed by its body (RFC 6962): it can be
computed again from the body, and looked up in a signed checkpoint of the ledger.
dispute.json, explanation.json, round.html and names.json hold personal data; the files of events
and transfers hold none.
"""
