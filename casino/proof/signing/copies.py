"""
Copies checkpoints to places outside the machine, to each destination independently, and retries
until it has the newest one.

A worker claims an attempt in its row before making it, so that concurrent workers make it once, and
another attempt follows if a worker is killed. Nothing is locked while waiting for a destination.
"""

from __future__ import annotations

import http.client
import os
import ssl
from collections import Counter
from dataclasses import dataclass
from datetime import timedelta
from email.utils import parseaddr
from pathlib import Path
from smtplib import SMTPException
from typing import TYPE_CHECKING, Any, Final, Protocol
from urllib import error, request
from urllib.parse import urlsplit

import structlog
from django.conf import settings
from django.core import checks
from django.core.mail import EmailMessage
from django.db.models import Q

from casino.engine.processes.private import sync
from casino.house.establishments import gaming_day
from casino.proof.signing import keys
from casino.proof.signing.models import OutsideCopy
from ledger import checkpoints, epochs
from ledger.conflicts import count_of
from ledger.models import Event
from ledger.verify import Checkpoint as Published
from ledger.verify import Unreadable, read_file

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime
    from uuid import UUID

    from casino.house.establishments.models import Establishment
    from ledger.models import Checkpoint

PAUSE: Final = timedelta(seconds=15)  # after the first failure; doubled after each further one
PAUSE_MAX: Final = timedelta(hours=1)
REASON_MAX: Final = 200

log = structlog.get_logger(__name__)


def due(house: Establishment, now: datetime) -> list[Destination]:
    """The destinations to which the house's newest checkpoint must be copied now."""
    newest = checkpoints.latest(house.pk)
    wanted = from_settings()
    if newest is None or not wanted:
        return []
    rows = {row.destination: row for row in OutsideCopy.objects.filter(establishment=house)}
    closed = _position_of_close(house.pk)
    return [each for each in wanted if _is_due(each, rows.get(each.text), newest, closed, now)]


def behind(heads: Mapping[UUID, int]) -> set[UUID]:
    """
    The houses of which some destination does not have the newest checkpoint yet. One query.

    :param heads: houses that are signed up to their heads.
    """
    wanted = [each.text for each in from_settings()]
    if not wanted or not heads:
        return set()
    rows = OutsideCopy.objects.filter(destination__in=wanted)
    there = Counter(
        house for house, size in rows.values_list("establishment_id", "size")
        if house in heads and size > heads[house]
    )  # fmt: skip
    return {house for house in heads if there[house] < len(wanted)}


def copy(house: Establishment, destination: Destination, now: datetime) -> bool:
    """
    Copy the newest checkpoint to a destination, if that is due; whether it was copied.

    A failure is stored in the row with a sentence for people, and tried again later.
    """
    newest = checkpoints.latest(house.pk)
    row, _ = OutsideCopy.objects.get_or_create(establishment=house, destination=destination.text)
    if newest is None or not _is_due(destination, row, newest, _position_of_close(house.pk), now):
        return False
    mine = OutsideCopy.objects.filter(establishment=house, destination=destination.text)
    if not mine.filter(tried_at=row.tried_at).update(tried_at=now):
        return False  # another worker has claimed this attempt
    try:
        _may_be_trusted(house, destination)
        destination.put(newest, house.name)
    except NotCopied as failure:
        _note_failure(row, str(failure), now)
        return False
    older = Q(epoch__lt=newest.epoch) | Q(epoch=newest.epoch, size__lte=newest.size)
    mine.filter(older).update(
        epoch=newest.epoch, size=newest.size, copied_at=now, error="", failed_at=None, failures=0
    )
    return True


def checkpoints_in_folders(establishment: UUID) -> list[Published]:
    """The newest checkpoints of a house that folders hold: see `in_folders`."""
    return [each for _, each in in_folders(establishment)]


def in_folders(establishment: UUID) -> list[tuple[Path, Published]]:
    """
    The newest checkpoint of a house in each folder, with its file, if the house has signed it.

    A folder that cannot be read is skipped.
    """
    found = []
    for each in from_settings():
        if isinstance(each, Folder):
            try:
                newest = each.newest(establishment)
            except NotCopied:
                continue  # the next attempt to copy reports it
            if newest is not None and keys.has_signed(establishment, newest):
                found.append((each.path / str(establishment) / LATEST, newest))
    return found


def _may_be_trusted(house: Establishment, destination: Destination) -> None:
    """:raises NotCopied: if the newest checkpoint in a folder was not signed by the house."""
    if not isinstance(destination, Folder):
        return
    newest = destination.newest(house.pk)
    if newest is not None and not keys.has_signed(house.pk, newest):
        raise NotCopied(
            f"{LATEST} of this house in {destination.path} was not signed by it: somebody else put"
            " it there. Take it away."
        )


def _is_due(
    destination: Destination,
    row: OutsideCopy | None,
    newest: Checkpoint,
    closed: int,
    now: datetime,
) -> bool:
    if row is None:
        return True
    if (row.epoch, row.size) >= (newest.epoch, newest.size):
        return False
    if row.tried_at is None or row.tried_at > now:  # the clock was set back since
        return True
    if row.failures:
        return now - row.tried_at >= pause(row.failures)
    if row.size <= closed < newest.size:  # B4: the close of a day is copied at once
        return True
    return now - row.tried_at >= destination.every


def pause(failures: int) -> timedelta:
    """The pause before the next attempt, after a number of failures in a row."""
    doubled: timedelta = PAUSE * 2 ** min(failures - 1, 16)
    return min(doubled, PAUSE_MAX)


def _note_failure(row: OutsideCopy, reason: str, now: datetime) -> None:
    if not row.failures:  # log the first failure, not each attempt
        log.error("not_copied", establishment=str(row.establishment_id), why=reason)
    OutsideCopy.objects.filter(
        establishment=row.establishment_id, destination=row.destination
    ).update(error=reason[:REASON_MAX], failed_at=now, failures=row.failures + 1)


def _position_of_close(establishment: UUID) -> int:
    """The position at which the last gaming day was closed; -1: none was."""
    rows = Event.objects.filter(
        establishment=establishment, stream=gaming_day.STREAM, event_type=gaming_day.CLOSED
    )
    position = rows.order_by("-stream_version").values_list("position", flat=True).first()
    return -1 if position is None else position


# Destinations for copies of checkpoints: ``CHECKPOINT_COPIES``, each ``folder:/path``,
# ``mail:address`` or ``https://…``.
#
# A copy is useful if a person who could change the ledger cannot reach it. Each destination defines
# how often it gets a copy. It raises `NotCopied`, with a sentence that contains no secret.


LATEST: Final = "latest.checkpoint"
TIMEOUT: Final = 5.0  # seconds to wait for a webhook, at each step
NAME_MAX: Final = 200  # characters of one destination
LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")


class NotCopied(Exception):  # noqa: N818 - names the fact
    """A destination has not accepted a copy; the message says why."""


class Destination(Protocol):
    @property
    def text(self) -> str:
        """The destination as the settings name it."""

    @property
    def label(self) -> str:
        """The destination for people, without what might be a secret."""

    @property
    def every(self) -> timedelta:
        """How long to wait between two copies. After the close of a gaming day nothing waits."""

    def put(self, row: Checkpoint, house: str) -> None:
        """
        Copy a checkpoint there.

        :param house: the name of the house, for people.
        :raises NotCopied: if this is not possible now.
        """


@dataclass(frozen=True, slots=True)
class Folder:
    """
    A folder: ``<house>/<epoch>-<size>.checkpoint`` for each checkpoint, and
    ``<house>/latest.checkpoint``.

    Files are written completely or not at all, and are on the disk when `put` returns. The file of
    a checkpoint that exists with other contents is never overwritten.
    """

    text: str
    every: timedelta = timedelta(0)

    @property
    def label(self) -> str:
        return self.text

    @property
    def path(self) -> Path:
        return Path(self.text.removeprefix("folder:"))

    def put(self, row: Checkpoint, house: str) -> None:  # noqa: ARG002 - its id names the folder
        folder = self.path / str(row.establishment)
        try:
            self._put(row, folder)
        except OSError as failure:
            reason = failure.strerror or type(failure).__name__
            raise NotCopied(f"{folder}: {reason}.") from failure

    def _put(self, row: Checkpoint, folder: Path) -> None:
        if not self.path.is_dir():  # not created: it may be a disk that is not mounted
            raise NotCopied(f"{self.path} is not there: make it, or mount it.")
        folder.mkdir(exist_ok=True)
        note, file = row.note.encode(), folder / filename(row)
        if file.exists():
            if file.stat().st_size != len(note) or file.read_bytes() != note:
                raise NotCopied(f"{file} says something else: two books sign as this house.")
        else:
            _write(file, note)
        latest = self.newest(row.establishment)
        if latest is None or _order(latest, row) < (row.epoch, row.size):
            _write(folder / LATEST, note)

    def newest(self, establishment: UUID) -> Published | None:
        """
        The newest checkpoint of a house in the folder; None: there is none.

        :raises NotCopied: if the file cannot be read, or is not a checkpoint.
        """
        folder = self.path / str(establishment)
        try:
            return Published.parse(read_file(folder / LATEST))
        except FileNotFoundError:
            return None
        except OSError as failure:
            reason = failure.strerror or type(failure).__name__
            raise NotCopied(f"{folder / LATEST}: {reason}.") from failure
        except Unreadable as unreadable:
            raise NotCopied(f"{folder / LATEST} is no checkpoint: {unreadable}") from None


def filename(row: Checkpoint) -> str:
    return f"{row.epoch}-{row.size:012}.checkpoint"


def _order(latest: Published, row: Checkpoint) -> tuple[int, int]:
    """
    The epoch and size of the newest checkpoint in a folder. After the ledger was restored from an
    older copy, it may be ahead of the ledger's own.

    :raises NotCopied: if it is of another ledger.
    """
    first = row.origin if row.epoch == 1 else row.origin.rpartition("/")[0]
    epoch = epochs.epoch_of(latest, first_origin=first)
    if epoch is None:
        raise NotCopied(f"{LATEST} there is of another ledger, {latest.origin}.")
    return epoch, latest.size


def _write(file: Path, data: bytes) -> None:
    part = file.with_name(f".{file.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        part.rename(file)
    finally:
        part.unlink(missing_ok=True)
    sync(file.parent)


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail with the checkpoint attached, sent with Django's mail settings."""

    text: str
    every: timedelta = timedelta(hours=1)

    @property
    def label(self) -> str:
        return self.text

    def put(self, row: Checkpoint, house: str) -> None:
        message = EmailMessage(
            subject=f"{house}: checkpoint of {count_of(row.size, 'event')}",
            body=(
                f"{house} has signed the first {count_of(row.size, 'event')} of its ledger. Keep"
                " this message:"
                " whoever has it can tell whether any of them was changed later.\n\n"
                f"{row.note}"
            ),
            to=[self.text.removeprefix("mail:")],
        )
        message.attach(filename(row), row.note, "text/plain")
        try:
            message.send()
        except (OSError, SMTPException) as failure:
            raise NotCopied(f"The mail server: {type(failure).__name__}.") from failure


class _Stay(request.HTTPRedirectHandler):
    """Follows no redirect: a POST would become a GET. A redirect counts as a refusal."""

    def redirect_request(self, *_args: Any) -> None:
        return None


@dataclass(frozen=True, slots=True)
class Webhook:
    """A POST with the checkpoint as its body, ``text/plain``; any 2xx counts as accepted."""

    text: str
    every: timedelta = timedelta(seconds=30)

    @property
    def label(self) -> str:
        """The address without its path, which is often the secret that permits writing there."""
        address = urlsplit(self.text)
        return f"{address.scheme}://{address.netloc}/…"

    def put(self, row: Checkpoint, house: str) -> None:  # noqa: ARG002 - the origin says which house
        post = request.Request(  # noqa: S310 - `parse` lets in https alone
            self.text,
            data=row.note.encode(),
            headers={"Content-Type": "text/plain; charset=utf-8", "User-Agent": "Home-Throw"},
            method="POST",
        )
        https = request.HTTPSHandler(context=ssl.create_default_context())
        try:
            with request.build_opener(_Stay, https).open(post, timeout=TIMEOUT):
                return
        except error.HTTPError as refused:
            refused.close()
            raise NotCopied(f"{self.label} answered {refused.code}.") from None
        except error.URLError as failure:
            raise NotCopied(f"{self.label}: {_reason(failure.reason)}.") from None
        except (OSError, http.client.HTTPException) as failure:
            raise NotCopied(f"{self.label}: {_reason(failure)}.") from None


def _reason(failure: object) -> str:
    """The reason in the system's words; a library's words might quote the address."""
    if isinstance(failure, TimeoutError):
        return f"no answer within {TIMEOUT:.0f} s"
    if isinstance(failure, ssl.SSLCertVerificationError):
        return f"its certificate: {failure.verify_message}"
    return (isinstance(failure, OSError) and failure.strerror) or type(failure).__name__


def from_settings() -> list[Destination]:
    """
    The destinations in the settings.

    :raises ValueError: if one of them is not valid; `manage.py check` reports that too.
    """
    return [parse(text) for text in settings.CHECKPOINT_COPIES]


def check_settings(**_options: object) -> list[checks.CheckMessage]:
    """System check: reports a destination that is not valid before anything is to be copied."""
    try:
        from_settings()
    except ValueError as wrong:
        return [checks.Error(f"CHECKPOINT_COPIES: {wrong}", id="integrity.E001")]
    return []


def parse(text: str) -> Destination:
    """Parse a destination. :raises ValueError: with a sentence that says what is wrong."""
    if len(text) > NAME_MAX:
        raise ValueError(f"A destination has at most {NAME_MAX} characters: {text[:30]}…")
    kind, _, rest = text.partition(":")
    if kind == "folder" and rest.startswith("/"):
        return Folder(text)
    if kind == "mail" and "@" in rest and parseaddr(rest) == ("", rest):
        return Mail(text)
    if kind in {"https", "http"} and _may_post(text):
        return Webhook(text)
    raise ValueError(
        f"{kind}:… is no place for copies of checkpoints: folder:/path, mail:address or https://…"
    )


def _may_post(text: str) -> bool:
    address = urlsplit(text)
    if not address.hostname or address.username:
        return False
    return address.scheme == "https" or (settings.DEBUG and address.hostname in LOOPBACK)
