"""What append promises: positions, versions, guards, receipts."""

from hashlib import sha256
from uuid import uuid4

import pytest

from ledger import journal
from ledger.journal import (
    CommandReused,
    Cursor,
    CursorMoved,
    Duplicate,
    Malformed,
    NotCanonical,
    Refusal,
    StreamMoved,
)
from ledger.models import Subscription
from tests.ledger.building import HOUSE, OTHER_HOUSE, appended, entry, event

pytestmark = pytest.mark.django_db


def test_positions_count_from_zero_in_each_house() -> None:
    assert appended("game/1", events=3).last_position == 2
    assert appended("game/2").first_position == 3
    assert appended("game/1", establishment=OTHER_HOUSE).first_position == 0
    assert journal.head(establishment=HOUSE) == 3
    assert journal.head(establishment=OTHER_HOUSE) == 0


def test_an_empty_ledger_has_no_head() -> None:
    assert journal.head(establishment=HOUSE) == -1
    assert journal.read(establishment=HOUSE, limit=10) == []


def test_versions_count_from_one_in_each_stream() -> None:
    journal.append(
        establishment=HOUSE,
        entries=[
            entry({"a": 0, "b": 0}, [event("a"), event("b"), event("a")]),
            entry({"a": 2}, [event("a")]),
        ],
    )

    found = journal.read(establishment=HOUSE, limit=10)

    assert [(it.position, it.stream, it.stream_version) for it in found] == [
        (0, "a", 1),
        (1, "b", 1),
        (2, "a", 2),
        (3, "a", 3),
    ]
    assert journal.versions(establishment=HOUSE, streams=["a", "b", "c"]) == {
        "a": 3,
        "b": 1,
        "c": 0,
    }


def test_reading_goes_on_behind_a_position_or_a_version() -> None:
    appended("game/1", events=5)

    assert [it.position for it in journal.read(establishment=HOUSE, after=1, limit=2)] == [2, 3]
    behind = journal.stream(establishment=HOUSE, stream="game/1", after_version=3)
    assert [it.stream_version for it in behind] == [4, 5]


def test_an_event_comes_back_as_it_was_put_in() -> None:
    put = entry({"game/1": 0}, [event(faces=[2, 2, 7], name="Žofie 🎲")])
    journal.append(establishment=HOUSE, entries=[put])

    [found] = journal.stream(establishment=HOUSE, stream="game/1")

    assert found.provenance == put.provenance
    assert found.event_id == put.events[0].event_id
    assert found.data == {"faces": [2, 2, 7], "name": "Žofie 🎲"}
    assert found.leaf_hash == sha256(b"\x00" + found.body).digest()


@pytest.mark.parametrize("expected", [0, 2])
def test_a_guard_at_another_version_stops_the_append(expected: int) -> None:
    appended("game/1")

    with pytest.raises(StreamMoved) as moved:
        journal.append(
            establishment=HOUSE, entries=[entry({"game/1": expected}, [event("game/1")])]
        )

    assert (moved.value.stream, moved.value.expected, moved.value.actual) == ("game/1", expected, 1)
    assert journal.head(establishment=HOUSE) == 0


def test_a_guard_without_events_only_checks() -> None:
    appended("table/1")

    with pytest.raises(StreamMoved):
        journal.append(
            establishment=HOUSE, entries=[entry({"table/1": 0, "game/1": 0}, [event("game/1")])]
        )

    journal.append(
        establishment=HOUSE, entries=[entry({"table/1": 1, "game/1": 0}, [event("game/1")])]
    )
    assert journal.versions(establishment=HOUSE, streams=["table/1"]) == {"table/1": 1}


def test_entries_are_appended_all_or_none() -> None:
    with pytest.raises(StreamMoved):
        journal.append(
            establishment=HOUSE,
            entries=[entry({"a": 0}, [event("a")]), entry({"b": 7}, [event("b")])],
        )

    assert journal.head(establishment=HOUSE) == -1


def test_a_stream_appended_to_without_a_guard_is_malformed() -> None:
    with pytest.raises(Malformed, match="without a guard"):
        entry({}, [event("game/1")])


@pytest.mark.parametrize("text", ["a\0b", "\ud800"])
def test_what_no_database_keeps_is_refused_before_it_is_asked(text: str) -> None:
    with pytest.raises(NotCanonical):
        Refusal(code="no", detail=text)
    with pytest.raises(NotCanonical):
        entry({text: 0}, [event(text)])


def test_the_same_command_gets_the_same_answer() -> None:
    command_id = uuid4()
    new_entry = entry({"game/1": 0}, [event()], command_id=command_id)
    [first] = journal.append(establishment=HOUSE, entries=[new_entry])

    # Asked again when the stream has long moved: its guards no longer matter.
    [again] = journal.append(establishment=HOUSE, entries=[new_entry])
    known = journal.recorded_answer(
        establishment=HOUSE, command_id=command_id, request_hash=new_entry.request_hash
    )

    assert not first.repeated
    assert again.repeated
    assert again == known
    assert (again.first_position, again.last_position) == (0, 0)
    assert journal.head(establishment=HOUSE) == 0


def test_the_same_command_twice_in_one_append_leaves_one_event() -> None:
    command_id = uuid4()
    entries = [entry({"game/1": 0}, [event()], command_id=command_id) for _ in range(2)]

    first, second = journal.append(establishment=HOUSE, entries=entries)

    assert (first.repeated, second.repeated) == (False, True)
    assert journal.head(establishment=HOUSE) == 0


def test_another_request_under_the_same_command_is_refused() -> None:
    command_id = uuid4()
    journal.append(
        establishment=HOUSE, entries=[entry({"game/1": 0}, [event()], command_id=command_id)]
    )
    other = entry({"game/1": 1}, [event()], command_id=command_id, request="another")

    with pytest.raises(CommandReused):
        journal.append(establishment=HOUSE, entries=[other])
    with pytest.raises(CommandReused):
        journal.recorded_answer(
            establishment=HOUSE, command_id=command_id, request_hash=other.request_hash
        )


def test_the_same_command_id_in_another_house_is_another_command() -> None:
    command_id = uuid4()
    new_entry = entry({"game/1": 0}, [event()], command_id=command_id)
    journal.append(establishment=HOUSE, entries=[new_entry])

    assert (
        journal.recorded_answer(
            establishment=OTHER_HOUSE, command_id=command_id, request_hash=new_entry.request_hash
        )
        is None
    )
    refused = entry(refusal=Refusal(code="no", detail="No."), command_id=command_id)
    [receipt] = journal.append(establishment=OTHER_HOUSE, entries=[refused])
    assert not receipt.repeated


def test_a_refusal_is_kept_and_leaves_no_event() -> None:
    refusal = Refusal(code="not_your_turn", detail="Anna throws, not Bert. G2")
    new_entry = entry({"game/1": 0}, refusal=refusal)

    [receipt] = journal.append(establishment=HOUSE, entries=[new_entry])
    [again] = journal.append(establishment=HOUSE, entries=[new_entry])

    assert receipt.refusal == again.refusal == refusal
    assert receipt.first_position is None
    assert again.repeated
    assert journal.head(establishment=HOUSE) == -1


def test_an_event_id_is_used_once() -> None:
    happened = event()
    journal.append(establishment=HOUSE, entries=[entry({"game/1": 0}, [happened])])

    with pytest.raises(Duplicate):
        journal.append(establishment=HOUSE, entries=[entry({"game/1": 1}, [happened])])


def test_the_cursor_moves_with_the_append_or_not_at_all() -> None:
    Subscription.objects.create(establishment=HOUSE, name="settlement")
    there = Cursor(subscription="settlement", expected=-1, moved_to=4)

    journal.append(establishment=HOUSE, entries=[entry({"game/1": 0}, [event()])], cursor=there)
    with pytest.raises(CursorMoved):
        journal.append(establishment=HOUSE, entries=[entry({"game/1": 1}, [event()])], cursor=there)

    assert Subscription.objects.get(establishment=HOUSE, name="settlement").position == 4
    assert journal.head(establishment=HOUSE) == 0
