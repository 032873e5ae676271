"""
Moves an exported house in time: the same house, as if everything had happened some days later.

A ledger is hashed, so nothing in an export can be changed without notice; what comes out here is
another export, of another ledger, which is hashed and signed where it is imported. Moments move by
whole days of the house's own clock, so that an evening stays an evening. With them move the days,
the seconds that games count in, texts that name a day, and the ids and hashes that are made from a
day's name. The lot of a closed season stays, because it has decided. Checkpoints are left behind,
because they sign the bytes that were moved.
"""

from __future__ import annotations

import base64
import json
import re
from collections import deque
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from hashlib import sha256
from itertools import chain
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID, uuid5
from zoneinfo import ZoneInfo

from casino.house.establishments import gaming_day
from ledger import canonical, exporting
from ledger.verify import MANIFEST, Export, leaf_hash

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

EVENTS: Final = "events.jsonl"
CHECKPOINTS: Final = "checkpoints.jsonl"
RECEIPTS: Final = "receipts.jsonl"
TEXTS: Final = "texts.jsonl"
HOUSE: Final = "establishment.jsonl"
STRING: Final = re.compile(rb'"([^"\\]{36,66})"')
WHEN: Final = re.compile(rb'"(\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00))?)"')
NAMES_MORE: Final = (b'"stream":"day"', b'"t-', b'"request_hash"')
"""What lines have that may name something which is made from a day."""
SECONDS: Final = re.compile(rb"(?<=[:,\[])\d{10}(?=[,}\]])")
"""Numbers as large as seconds since 1970 are; those within the weeks of the export are moved."""
DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")
IN_FIGURES: Final = re.compile(r"(\d\d)/(\d\d)/(\d{4})")  # as the house writes a day
A_DAY: Final = len("2025-09-08")
NAMED_DAYS: Final = frozenset({gaming_day.OPENED, gaming_day.CLOSED})
"""Events whose command has an id and a hash that are made from the day's name."""


@dataclass(frozen=True)
class Dated:
    """
    An export, moved by a number of days.

    :param days: how many; below 0: to earlier days.
    """

    export: Export
    days: int
    _moments: dict[str, str] = field(default_factory=dict)
    _hashes: dict[str, str] = field(default_factory=dict)
    """By which commands are known that follow from an event: of each event, before and after."""

    def write(self, to: Path) -> Export:
        """
        Write the moved export to a folder that does not exist yet.

        :raises Unreadable: if a file of the export is not in the expected format.
        """
        package = exporting.Package(to)
        manifest = self.export.manifest
        with package.made():
            for name in manifest["files"]:
                package.add(name, self.lines(name))
            of_it = {
                **manifest,
                "checkpoints": 0,
                "keys": [],
                "epochs": [{**each, "origin": None} for each in manifest["epochs"]],
                "exported_at": self.moment(manifest["exported_at"]),
                "files": package.files,
            }
            (package.part / MANIFEST).write_text(json.dumps(of_it), encoding="utf-8")
        return Export(to)

    def lines(self, name: str) -> Iterator[bytes]:
        """The lines of a file, moved; of the checkpoints there are none."""
        if name == CHECKPOINTS:
            return
        if name == RECEIPTS and not self._hashes:
            deque(self.lines(EVENTS), maxlen=0)  # which keeps their hashes
        first, last = self._span
        for line in self.export.lines(name):
            moved = self._text(line) if name == TEXTS else WHEN.sub(self._when, line)
            if any(each in line for each in NAMES_MORE):
                moved = STRING.sub(self._string, moved)
            moved = SECONDS.sub(lambda found: self._seconds(found, first, last), moved)
            if name == EVENTS:
                self._keep_hashes(line, moved)
            yield moved

    def moment(self, text: str) -> str:
        """A moment in UTC, as an event has it, moved by whole days of the house's clock."""
        if (known := self._moments.get(text)) is None:
            moved = self._later(datetime.fromisoformat(text))
            ends = "Z" if text.endswith("Z") else "+00:00"
            small = "microseconds" if "." in text else "seconds"
            known = f"{moved.replace(tzinfo=None).isoformat(timespec=small)}{ends}"
            self._moments[text] = known
        return known

    def day(self, text: str) -> str:
        return (date.fromisoformat(text) + timedelta(days=self.days)).isoformat()

    def _later(self, moment: datetime) -> datetime:
        local = moment.astimezone(self._zone)
        # A local time that the clock skips or shows twice: at night, when this house is closed.
        return (local + timedelta(days=self.days)).astimezone(UTC)

    def _when(self, found: re.Match[bytes]) -> bytes:
        text = found[1].decode()
        moved = self.day(text) if len(text) == A_DAY else self.moment(text)
        return f'"{moved}"'.encode()

    def _string(self, found: re.Match[bytes]) -> bytes:
        text = found[1].decode()
        renamed = self._renamed.get(text) or self._hashes.get(text, text)
        return f'"{renamed}"'.encode()

    def _keep_hashes(self, before: bytes, after: bytes) -> None:
        """
        Keep the hashes that commands have whose cause is an event: settlement's, alarms about dice,
        and changes of the house's things.
        """
        was, is_ = leaf_hash(before), leaf_hash(after)
        self._hashes[was.hex()] = is_.hex()
        self._hashes[sha256(was).hexdigest()] = sha256(is_).hexdigest()
        if b'"after":' in before:
            was, is_ = (canonical.encode(json.loads(each)["data"]) for each in (before, after))
            self._hashes[sha256(was).hexdigest()] = sha256(is_).hexdigest()

    def _seconds(self, found: re.Match[bytes], first: int, last: int) -> bytes:
        seconds = int(found[0])
        if not first <= seconds <= last:
            return found[0]
        moved = self._later(datetime.fromtimestamp(seconds, UTC))
        return str(int(moved.timestamp())).encode()

    def _text(self, line: bytes) -> bytes:
        """A line of the texts: it may name days in the middle, and its token is a hash of it."""
        row = json.loads(line)
        row |= {
            "text": self._dated(row["text"]),
            "token": self._renamed.get(row["token"], row["token"]),
        }
        return json.dumps(
            row, ensure_ascii=False, sort_keys=True, separators=(",", ":")
        ).encode()  # fmt: skip

    def _dated(self, text: str) -> str:
        moved = DAY.sub(lambda found: self.day(found[0]), text)
        return IN_FIGURES.sub(self._in_figures, moved)

    def _in_figures(self, found: re.Match[str]) -> str:
        day, month, year = found.groups()
        return f"{date.fromisoformat(self.day(f'{year}-{month}-{day}')):%d/%m/%Y}"

    @cached_property
    def _house(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(next(self.export.lines(HOUSE)))
        return found

    @cached_property
    def _zone(self) -> ZoneInfo:
        return ZoneInfo(self._house["time_zone"])

    @cached_property
    def _span(self) -> tuple[int, int]:
        """The first and the last second of the export."""
        first = json.loads(next(self.export.lines(EVENTS)))["recorded_at"]
        last = self.export.manifest["exported_at"]
        begin, end = (int(datetime.fromisoformat(each).timestamp()) for each in (first, last))
        return begin, end

    @cached_property
    def _renamed(self) -> Mapping[str, str]:
        """Ids, hashes and tokens that are made from a day, before and after."""
        return dict(chain(self._day_commands(), self._texts()))

    def _day_commands(self) -> Iterator[tuple[str, str]]:
        """As `gaming_day` names the opening, and `closing` the closing, of a day."""
        house = UUID(self._house["id"])
        for line in self.export.lines(EVENTS):
            if b'"stream":"day"' not in line:
                continue
            event = json.loads(line)
            kind = event["event_type"]
            if kind in NAMED_DAYS:
                rest = f"/{event['stream_version']}" if kind == gaming_day.OPENED else ""
                day = event["data"]["day"]
                before, after = (f"{kind}/{each}{rest}" for each in (day, self.day(day)))
                yield str(uuid5(house, before)), str(uuid5(house, after))
                yield sha256(before.encode()).hexdigest(), sha256(after.encode()).hexdigest()

    def _texts(self) -> Iterator[tuple[str, str]]:
        """The tokens of texts that name a day, such as until when somebody is excluded."""
        for line in self.export.lines(TEXTS):
            row = json.loads(line)
            moved = self._dated(row["text"])
            if moved != row["text"]:
                hashed = sha256(base64.b64decode(row["salt"]) + moved.encode())
                yield row["token"], f"t-{hashed.hexdigest()}"
