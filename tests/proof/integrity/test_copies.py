"""Checkpoints leave the machine: to folders, by mail, to a webhook, until they are there."""

from __future__ import annotations

import errno
import os
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.core import mail
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from structlog.testing import capture_logs

from casino.proof.signing import copies, tasks
from casino.proof.signing.models import OutsideCopy
from ledger import epochs, verify
from ledger.notes import SigningKey
from tests.support import builders
from tests.support.at_once import at_once, on_a_file
from tests.support.copied import (
    HOUR,
    MINUTE,
    SECOND,
    due,
    files,
    grown,
    row,
    sent,
    with_a_signed_ledger,
)
from tests.support.dayend import closed
from tests.support.playing import NOW
from tests.support.proven import appended, happened, keyed, newest, read, restored_to, signed

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django import Settings

    from casino.proof.signing.copies import Destination
    from tests.support.builders import House

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _before_all_else(key_folder: object, tried_out: object) -> None:
    del key_folder, tried_out


@pytest.fixture
def house() -> House:
    return with_a_signed_ledger()


@pytest.fixture
def mailed(settings: Settings) -> None:
    settings.CHECKPOINT_COPIES = ("mail:auditor@example.org",)


class TestFolder:
    @pytest.mark.long("postgresql")
    def test_each_checkpoint_is_a_file_and_the_newest_is_told(
        self, house: House, folder: Path
    ) -> None:
        sizes = [newest(house).size]
        assert sent(house) == [True]
        sizes.append(grown(house))
        assert sent(house) == [True]

        assert files(house, folder) == [
            *(f"1-{size:012}.checkpoint" for size in sizes),
            "latest.checkpoint",
        ]
        latest = (folder / str(house.id) / "latest.checkpoint").read_bytes()
        assert latest == newest(house).note.encode()
        [published] = copies.checkpoints_in_folders(house.id)
        assert published == verify.Checkpoint.parse(latest)
        assert (row(house).size, row(house).copied_at) == (sizes[-1], NOW)

    @pytest.mark.long("postgresql")
    def test_what_is_copied_is_not_due_again(self, house: House, folder: Path) -> None:
        assert due(house, NOW) == [f"folder:{folder}"]
        sent(house)

        assert due(house, NOW + HOUR) == []
        assert sent(house, NOW + HOUR) == [False]

    def test_a_file_that_says_something_else_is_never_overwritten(
        self, house: House, folder: Path
    ) -> None:
        sent(house)
        size = grown(house)
        file = folder / str(house.id) / f"1-{size:012}.checkpoint"
        file.write_text("another book")

        assert sent(house) == [False]

        assert file.read_text() == "another book"
        assert "two books sign as this house" in row(house).error

    @pytest.mark.long("postgresql")
    def test_an_older_checkpoint_never_becomes_the_latest(self, house: House, folder: Path) -> None:
        older = newest(house)
        grown(house)
        sent(house)
        latest = (folder / str(house.id) / "latest.checkpoint").read_text()
        (place,) = copies.from_settings()

        place.put(older, house.establishment.name)

        assert (folder / str(house.id) / "latest.checkpoint").read_text() == latest

    @pytest.mark.long("postgresql")
    def test_nor_does_one_of_an_earlier_epoch(self, house: House, folder: Path) -> None:
        """A book set back behind the opening of an epoch would else sign what it has lost."""
        older = newest(house)
        happened(house, 2)
        ahead = read(signed(house))
        restored_to(house, ahead.size - 2)
        guards, opening = epochs.opening(
            establishment=house.id, published=ahead, epoch=1, reason="t-restored"
        )
        appended(house, guards, opening)
        signed(house)
        sent(house)
        latest = (folder / str(house.id) / "latest.checkpoint").read_text()
        assert latest.startswith(f"home-throw.local/{house.id}/2\n")
        (place,) = copies.from_settings()

        place.put(older, house.establishment.name)

        assert (folder / str(house.id) / "latest.checkpoint").read_text() == latest

    @pytest.mark.long("postgresql")
    def test_one_that_the_house_has_not_signed_is_said_to_be_there(
        self, house: House, folder: Path
    ) -> None:
        stranger = SigningKey.generate(newest(house).origin)
        text = read(newest(house)).text.replace(f"\n{newest(house).size}\n", "\n999\n")
        (folder / str(house.id)).mkdir()
        (folder / str(house.id) / "latest.checkpoint").write_text(
            f"{text}\n{stranger.sign(text)}\n"
        )

        assert sent(house) == [False]

        assert "was not signed by it" in row(house).error

    @pytest.mark.long("postgresql")
    def test_a_disk_that_is_not_mounted_is_not_made_here(
        self, house: House, settings: Settings, tmp_path: Path
    ) -> None:
        settings.CHECKPOINT_COPIES = (f"folder:{tmp_path}/usb",)

        assert sent(house) == [False]

        assert "make it, or mount it" in row(house).error
        assert not (tmp_path / "usb").exists()

    @pytest.mark.long("postgresql")
    def test_a_full_disk_is_left_without_half_a_file(
        self, house: House, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", _full)
            assert sent(house) == [False]

        assert "No space left on device" in row(house).error
        assert files(house, folder) == []
        assert sent(house, NOW + MINUTE) == [True]

    @pytest.mark.long("postgresql")
    def test_a_folder_that_cannot_be_written_is_named(self, house: House, folder: Path) -> None:
        (folder / str(house.id)).write_text("somebody's file")

        assert sent(house) == [False]

        assert row(house).error.startswith(f"{folder / str(house.id)}")
        assert row(house).error.endswith(": Not a directory.")

    @pytest.mark.long("postgresql")
    def test_what_cannot_be_read_there_delays_no_signing(self, house: House, folder: Path) -> None:
        sent(house)
        (folder / str(house.id) / "latest.checkpoint").write_text("torn")

        assert copies.checkpoints_in_folders(house.id) == []
        grown(house)
        assert sent(house) == [False]
        assert "is no checkpoint" in row(house).error


def _full(_descriptor: int) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.usefixtures("mailed")
class TestMail:
    @pytest.mark.long("postgresql")
    def test_the_checkpoint_is_attached_as_it_was_signed(self, house: House) -> None:
        assert sent(house) == [True]

        [message] = mail.outbox
        assert message.to == ["auditor@example.org"]
        [(name, content, kind)] = message.attachments
        found = newest(house)
        assert (name, kind) == (f"1-{found.size:012}.checkpoint", "text/plain")
        assert content == found.note
        assert found.note in message.body

    @pytest.mark.long("postgresql")
    def test_it_goes_out_once_an_hour(self, house: House) -> None:
        sent(house)
        grown(house)

        assert sent(house, NOW + HOUR - SECOND) == [False]
        assert sent(house, NOW + HOUR) == [True]
        assert len(mail.outbox) == 2

    @pytest.mark.long("postgresql")
    def test_nothing_goes_out_while_nothing_happens(self, house: House) -> None:
        sent(house)

        assert sent(house, NOW + 5 * HOUR) == [False]

    @pytest.mark.long("postgresql")
    def test_the_close_of_a_day_goes_out_at_once(self, house: House) -> None:
        """B4."""
        sent(house)
        closed(house)
        signed(house)

        assert sent(house, NOW + MINUTE) == [True]
        assert sent(house, NOW + MINUTE) == [False]

    @pytest.mark.long("postgresql")
    def test_a_server_that_is_away_is_named_and_tried_again(
        self, house: House, settings: Settings
    ) -> None:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1

        assert sent(house) == [False]

        assert row(house).error == "The mail server: ConnectionRefusedError."


@pytest.mark.long("postgresql")
def test_pauses_grow_to_an_hour() -> None:
    pauses = [copies.pause(failures) for failures in range(1, 40)]

    assert pauses[0] == timedelta(seconds=15)
    assert pauses == sorted(pauses)
    assert pauses[-1] == HOUR


@pytest.mark.long("postgresql")
def test_a_failure_is_logged_once_and_not_each_time(house: House, settings: Settings) -> None:
    settings.CHECKPOINT_COPIES = ("folder:/nowhere/at/all",)
    with capture_logs() as logs:
        for hours in range(4):
            sent(house, NOW + hours * 2 * HOUR)

    assert [each["event"] for each in logs] == ["not_copied"]
    assert row(house).failures == 4


def test_one_destination_that_fails_delays_no_other(
    house: House, folder: Path, settings: Settings
) -> None:
    settings.CHECKPOINT_COPIES = ("folder:/nowhere", *settings.CHECKPOINT_COPIES)
    assert sent(house) == [False, True]
    grown(house)

    assert due(house, NOW + SECOND) == [f"folder:{folder}"]
    assert sent(house, NOW + SECOND) == [False, True]


def test_a_worker_that_was_killed_at_it_is_followed_by_the_next(house: House, folder: Path) -> None:
    OutsideCopy.objects.create(
        establishment=house.establishment, destination=f"folder:{folder}", tried_at=NOW
    )

    assert sent(house, NOW + SECOND) == [True]


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_send_one_mail(settings: Settings, tmp_path: Path) -> None:
    settings.CHECKPOINT_COPIES = ("mail:auditor@example.org",)
    made = builders.house()
    happened(made)
    keyed(made)
    signed(made)
    with on_a_file(tmp_path):
        done = at_once(4, lambda _: sent(made))

    assert done.count([True]) == 1
    assert len(mail.outbox) == 1


@pytest.mark.long("postgresql")
def test_the_task_brings_the_newest_to_its_own_destination(house: House, folder: Path) -> None:
    tasks.copy(establishment=str(house.id), destination=f"folder:{folder}")

    assert f"1-{newest(house).size:012}.checkpoint" in files(house, folder)


WRONG = [
    "folder:relative/path",
    "mail:nobody",
    "http://example.org/hook",
    "https://",
    "https://name:password@example.org/",
    "ftp://example.org/",
    "house",
]


@pytest.mark.long("postgresql")
@pytest.mark.parametrize("text", WRONG)
def test_what_is_no_destination_is_said_at_the_start(settings: Settings, text: str) -> None:
    settings.CHECKPOINT_COPIES = (text,)

    with pytest.raises(
        SystemCheckError, match=r"folder:/path, mail:address or https://"
    ) as refused:
        call_command("check")

    assert "password" not in str(refused.value)


@pytest.mark.long("postgresql")
def test_plain_http_is_for_this_machine_while_one_tries_things_out(settings: Settings) -> None:
    assert copies.parse("http://127.0.0.1:9/x").label == "http://127.0.0.1:9/…"
    settings.DEBUG = False

    with pytest.raises(ValueError, match="no place"):
        copies.parse("http://127.0.0.1:9/x")


def known_destinations() -> list[Destination]:
    return [copies.parse(each) for each in ("folder:/a", "mail:a@b.example", "https://a.b/c")]


@pytest.mark.long("postgresql")
def test_each_kind_of_destination_has_its_pace() -> None:
    assert [each.every for each in known_destinations()] == [timedelta(0), HOUR, 30 * SECOND]
