"""
A full disk, a read-only book, a database that is away: said clearly, and nothing half done.

Each is brought about on the real database. Once it is put right the same command goes through once.
"""

from __future__ import annotations

import resource
import subprocess
import sys
from threading import Barrier
from typing import TYPE_CHECKING, Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.urls import reverse

from casino.engine.databases import storage_failure
from casino.play.settlement.models import PrizeRule
from ledger import journal, subscriptions
from ledger.models import CommandReceipt, ParkedEvent
from ledger.storage import StorageFault, storage_fault
from ledger.subscriptions import Subscriber
from tests import processes
from tests.forms import LONG_FORM
from tests.support import books, builders, playing
from tests.support.at_once import at_once
from tests.support.builders import command
from tests.support.playing import balances
from tests.support.processes import on_a_disk
from tests.support.storage_faults import (
    FULL,
    ON_POSTGRESQL,
    READ_ONLY,
    STORAGE_FAULTS,
    no_failure_remembered,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from django.test import Client

    from ledger.entries import Entry
    from ledger.subscriptions import StreamVersions
    from ledger.wire import StoredEvent
    from tests.support.builders import House

pytestmark = pytest.mark.django_db(transaction=True)
TRIES = 300  # commands, before a database that has no more pages has used those it has
MANY = TRIES if LONG_FORM else 120
ROUNDS = 40 if LONG_FORM else 15  # enough to have no room when they are booked


@pytest.fixture(autouse=True)
def _nothing_is_remembered() -> Iterator[None]:
    with no_failure_remembered():
        yield


@pytest.fixture
def house(tmp_path: Path, transactional_db: None) -> Iterator[House]:
    """On a file of its own, where it is SQLite: a database in memory has no disk."""
    del transactional_db
    with on_a_disk(tmp_path):
        made = builders.house()
        builders.dice_for_every_game(made.establishment, sets=1)
        made.client()  # a token is made now, while it can be
        yield made


def opened(house: House) -> str:
    """A game in which money may be brought at any time."""
    return builders.opened(house, game="threes-away")


def url(game: str) -> str:
    return f"/api/v1/games/{game}/commands/"


def buy_in(amount: int = 1) -> dict[str, Any]:
    return command("buy_in", player="Ada", amount=amount)


def written(house: House) -> tuple[Any, ...]:
    """All that a command may leave."""
    return (
        journal.head(establishment=house.id),
        CommandReceipt.objects.filter(establishment=house.id).count(),
        balances(house),
    )


def put_until_it_fails(house: House, game: str) -> tuple[dict[str, Any], Any, int]:
    """The command that was not taken, its answer, and how many were before it."""
    for count in range(TRIES):
        raw = buy_in()
        answer = house.client().post(url(game), raw)
        if answer.status_code != 200:
            return raw, answer, count
    raise AssertionError("Everything was taken.")


@pytest.mark.rows(postgresql=2)
@pytest.mark.parametrize("name", STORAGE_FAULTS)
def test_a_command_that_cannot_be_written_leaves_nothing_and_goes_through_later(
    house: House, name: str
) -> None:
    storage_fault, code = STORAGE_FAULTS[name]
    game = opened(house)
    head, receipts, held = written(house)

    with storage_fault():
        raw, answer, before = put_until_it_fails(house, game)

    problem = answer.json()
    assert (answer.status_code, problem["status"], problem["code"]) == (503, 503, code)
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert int(answer.headers["Retry-After"]) > 0
    assert "under the same command_id: it counts once" in problem["detail"]
    assert ("This was not recorded." in problem["detail"]) == (code != "storage_unavailable")
    assert written(house)[:2] == (head + before, receipts + before)
    assert sum(written(house)[2].values()) == sum(held.values()) + 2 * before

    for _ in range(2):
        assert house.client().post(url(game), raw).status_code == 200
    assert written(house)[:2] == (head + before + 1, receipts + before + 1)


def test_of_a_list_what_was_recorded_counts_once(house: House) -> None:
    game = opened(house)
    head, *_ = written(house)
    raws = [buy_in() for _ in range(MANY)]

    with FULL():
        answer = house.client().post(url(game), raws)

    assert (answer.status_code, answer.json()["code"]) == (503, "storage_full")
    assert "Of a list, what stands before it may be recorded." in answer.json()["detail"]
    assert written(house)[0] < head + MANY
    again = house.client().post(url(game), raws)
    assert (again.status_code, again.json()["done"]) == (200, MANY)
    assert written(house)[0] == head + MANY


# --- Pages ------------------------------------------------------------------------------------


def form(game: str, amount: int = 5) -> tuple[str, dict[str, Any]]:
    raw = buy_in(amount)
    return reverse("floor-command", args=[game]), {**raw, "note": 'of "Ada" <b>'}


@pytest.fixture
def attendant(house: House, client: Client) -> Client:
    client.force_login(house.attendant)
    return client


def test_a_page_keeps_what_was_entered_and_never_says_that_it_is_saved(
    house: House, attendant: Client
) -> None:
    game = opened(house)
    address, fields = form(game)
    head, *_ = written(house)

    with READ_ONLY():
        page = attendant.post(address, fields)

    text = page.content.decode()
    assert page.status_code == 503
    assert page.headers["Retry-After"]
    assert "no-store" in page.headers["Cache-Control"]
    assert "What you sent just now was not recorded." in text
    assert "saved" not in text.lower()
    assert f'name="command_id" value="{fields["command_id"]}"' in text
    assert "of &quot;Ada&quot; &lt;b&gt;" in text
    assert "it counts once" in text
    assert f'action="{address}"' in text
    assert written(house)[0] == head
    for _ in range(2):
        attendant.post(address, fields)
    assert written(house)[0] == head + 2  # the device takes the game's lease, and the entry counts


def test_a_part_of_a_page_is_answered_with_the_sentence_that_the_page_shows(
    house: House, attendant: Client
) -> None:
    address, fields = form(opened(house))

    with READ_ONLY():
        part = attendant.post(address, fields, HTTP_HX_REQUEST="true")

    assert (part.status_code, part.headers["Content-Type"]) == (503, "text/plain")
    assert part.content.decode() == (
        "The book is read-only. The same entry is sent again; it counts once."
    )


def test_a_password_is_never_given_back(house: House, client: Client) -> None:
    client.raise_request_exception = False
    with READ_ONLY():
        page = client.post(
            reverse("sign-in"), {"username": house.attendant.username, "password": "a-secret-one"}
        )

    text = page.content.decode()
    assert page.status_code == 503
    assert "a-secret-one" not in text
    assert "<form" not in text
    assert "Go back in the browser" in text


@pytest.mark.parametrize("name", [name for name in STORAGE_FAULTS if name in {"away", "damaged"}])
def test_where_not_even_the_session_can_be_read_it_is_said_so(
    house: House, attendant: Client, name: str
) -> None:
    """That fails before any view is reached."""
    attendant.raise_request_exception = False
    game = opened(house)
    address, fields = form(game)
    with STORAGE_FAULTS[name][0]():
        seen = attendant.get(reverse("floor-game", args=[game]))
        sent = attendant.post(address, fields)
        response = attendant.get("/api/v1/games/")

    assert [each.status_code for each in (seen, sent, response)] == [503, 503, 503]
    assert "The book does not answer" in seen.content.decode()
    assert "may or may not be in it" in sent.content.decode()
    assert response.json()["code"] == "storage_unavailable"


def test_what_is_a_fault_of_ours_stays_one(client: Client) -> None:
    with pytest.raises(DatabaseError) as wrong, connection.cursor() as cursor:
        cursor.execute("SELECT nothing FROM nowhere")

    assert storage_fault(wrong.value) is None
    assert client.get("/nowhere/").status_code == 404


@pytest.mark.skipif(not ON_POSTGRESQL, reason="SQLite has one lock for all who write.")
def test_of_two_who_lock_crosswise_one_is_told_to_try_again() -> None:
    both_hold_one = Barrier(2)

    def lock_crosswise(number: int) -> StorageFault | None:
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_xact_lock(%s)", [number])
                both_hold_one.wait(10)
                cursor.execute("SELECT pg_advisory_xact_lock(%s)", [1 - number])
        except DatabaseError as failure:
            trouble = storage_failure.trouble_of(failure)
            return trouble.storage_fault if trouble else None
        return None

    storage_failure.MEMORY.forget()
    assert set(at_once(2, lock_crosswise)) == {None, StorageFault.UNAVAILABLE}
    assert not storage_failure.resting()  # the database is well


# --- Workers and monitors ---------------------------------------------------------------------


@pytest.mark.rows(postgresql=2)
@pytest.mark.parametrize("name", STORAGE_FAULTS)
def test_nothing_is_parked_for_it_and_all_is_booked_once_later(house: House, name: str) -> None:
    game = playing.opened(house, stake=1000)
    for _ in range(ROUNDS):
        playing.round_played(house, game)

    with STORAGE_FAULTS[name][0](), pytest.raises(DatabaseError) as failed:
        builders.settled(house)

    assert storage_fault(failed.value) is not None
    assert ParkedEvent.objects.count() == 0
    builders.settled(house)
    books.hold_at_every_moment(house)
    books.are_the_rules_result(house, [game])


def turns_read_only(_event: StoredEvent, _versions: StreamVersions) -> tuple[Entry, ...]:
    """A handler under whose hands the database stops taking anything."""
    with connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION READ ONLY" if ON_POSTGRESQL else "PRAGMA query_only = ON")
    PrizeRule.objects.all().delete()
    return ()


def test_no_event_is_blamed_for_what_a_handler_ran_into(house: House) -> None:
    """PostgreSQL's read-only comes as an InternalError, which is not always the database's."""
    opened(house)
    subscriber = Subscriber(name="unlucky", handle=turns_read_only)

    with pytest.raises(DatabaseError) as failed:
        subscriptions.advance(subscriber, establishment=house.id)

    if not ON_POSTGRESQL:
        connection.close()
    assert storage_fault(failed.value) is StorageFault.READ_ONLY
    assert ParkedEvent.objects.count() == 0
    assert subscriptions.lag("unlucky", establishment=house.id) > 0


def test_sweeps_leave_alone_for_a_while_what_has_just_failed(house: House) -> None:
    game = opened(house)
    assert not storage_failure.resting()

    with READ_ONLY():
        put_until_it_fails(house, game)

    assert storage_failure.resting()


@pytest.mark.rows(postgresql=2)
@pytest.mark.parametrize("name", STORAGE_FAULTS)
def test_healthz_says_what_is_wrong_with_the_book(house: House, client: Client, name: str) -> None:
    storage_fault, code = STORAGE_FAULTS[name]
    game = opened(house)
    with storage_fault():
        put_until_it_fails(house, game)
        if name == "hung up":
            connection.close()
        found = client.get("/healthz").json()

    assert not found["ok"]
    assert not found["parts"]["storage"]["ok"]
    if code != "storage_unavailable":
        assert found["parts"]["storage"]["says"].startswith(
            storage_failure.SAYS[StorageFault(code)]
        )


def test_healthz_finds_nothing_wrong_with_a_book_that_can_be_written(house: House) -> None:
    del house
    assert storage_failure.complaint() is None


def test_no_module_is_left_half_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """A house that ran into a full disk would not start again once there is room."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)

    storage_failure.MEMORY.note(
        storage_failure.Trouble(StorageFault.FULL, storage_failure.SAYS[StorageFault.FULL])
    )
    storage_failure.MEMORY.forget()

    assert sys.dont_write_bytecode


# --- The start --------------------------------------------------------------------------------


# fmt: off
ROOM = [
    # bytes that any file may have   the reason
    (0,                              "File too large"),  # not even for the key
    pytest.param(8_192, "disk I/O error", marks=pytest.mark.long),  # not for the tables
]
# fmt: on


@pytest.mark.processes
@pytest.mark.skipif(ON_POSTGRESQL, reason="of a house in one process")
@pytest.mark.parametrize(("room", "reason"), ROOM)
def test_a_start_without_room_is_one_sentence(tmp_path: Path, room: int, reason: str) -> None:
    folder = tmp_path / "data"
    env = processes.environment(HOME_THROW_DATA=str(folder), PYTHONDONTWRITEBYTECODE="1")
    ended = subprocess.run(
        [sys.executable, "manage.py", "up", "--empty", f"--port={processes.free_port()}"],
        cwd=processes.ROOT, env=env,
        capture_output=True, text=True, check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)),
    )  # fmt: skip

    assert ended.returncode == 1
    [sentence] = ended.stderr.strip().splitlines()
    assert f"Cannot write to {folder}: {reason}." in sentence
    assert not list(folder.glob("secret-key.*"))
