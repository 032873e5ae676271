"""A ledger leaves the house whole (E1), is checked without it, and comes back byte for byte."""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ledger import exporting, importing, money, verify, wire
from ledger.canonical import Json
from ledger.journal import Entry, NewEvent, Refusal, append, head
from ledger.models import Account, Checkpoint, CommandReceipt, Event, Subscription, Tile, Transfer
from ledger.tiles import WIDTH, Altered, Tiles
from tests.ledger.building import (
    ANNA,
    CAGE,
    HOUSE,
    OTHER_HOUSE,
    POT,
    appended,
    entry,
    event,
    transfer,
)
from tests.ledger.exported import (
    KEY,
    NAME,
    checked,
    exported,
    key_of,
    rows_of,
    signed,
    status,
    taken_away,
)
from tests.ledger.tampering import tamper

pytestmark = pytest.mark.django_db

TABLES = (Event, Transfer, CommandReceipt, Account, Tile, Checkpoint)


def a_day() -> verify.Checkpoint:
    """Commands of every kind, of one event and of many, and two checkpoints with a tail behind."""
    brought, staked = transfer(CAGE, ANNA, 25), transfer(ANNA, POT, 9, at=1)
    events = _events("game/1", "game/2", "game/1")
    put(entry({"game/1": 0, "game/2": 0}, events, [brought, staked]))
    put(entry(refusal=Refusal(code="no", detail="Not yours — nö.")))
    put(entry({"game/1": 2}))
    signed()
    appended("game/3", events=WIDTH)
    story = NewEvent(
        stream="game/2", event_type="test.happened", schema_version=1,
        data={"\U0001f3b2": "“ü”\u2028", "\uff44": 1},  # keys sort by UTF-16
    )  # fmt: skip
    put(entry({"game/2": 1}, [story], [transfer(POT, ANNA, 9, reverses=staked.transfer_id)]))
    kept = signed()
    put(entry(refusal=Refusal(code="late", detail="Too late.")))
    appended("game/4")
    appended("game/9", establishment=OTHER_HOUSE)
    return kept


def put(*entries: Entry) -> None:
    append(establishment=HOUSE, entries=entries)


def _events(*streams: str) -> list[NewEvent]:
    return [event(stream, number) for number, stream in enumerate(streams)]


def stored() -> list[list[tuple[Any, ...]]]:
    """Every row of the house."""
    return [
        sorted(model._default_manager.filter(establishment=HOUSE).values_list(), key=repr)
        for model in TABLES
    ]


def read_in(where: Path) -> None:
    export = verify.Export(where)
    importing.read_in(export)
    importing.hash_tiles(HOUSE)
    importing.keep_checkpoints(export)


@pytest.mark.long("postgresql", but="citus")
@pytest.mark.parametrize("name", ["export", "export.zip"])
def test_an_export_is_checked_by_one_file_without_the_house(tmp_path: Path, name: str) -> None:
    kept = a_day()
    (tmp_path / "kept.checkpoint").write_text(kept.note)

    where = exported(tmp_path / name)

    done = checked(where, "--key", key_of(), "--contents")
    assert done.returncode == 0, done.stderr
    assert f"{kept.size} events as signed, 1 not covered yet" in done.stdout
    assert "4 streams without gaps" in done.stdout
    assert checked(where, "--checkpoint", str(tmp_path / "kept.checkpoint")).returncode == 0


def test_a_folder_and_a_zip_hold_the_same(tmp_path: Path) -> None:
    a_day()
    folder, archive = exported(tmp_path / "export"), exported(tmp_path / "export.zip")

    assert verify.Export(folder).manifest == verify.Export(archive).manifest
    for name in ("events.jsonl", "receipts.jsonl", "checkpoints.jsonl", "followers.jsonl"):
        assert list(verify.Export(folder).lines(name)) == list(verify.Export(archive).lines(name))


def test_it_says_what_is_in_it(tmp_path: Path) -> None:
    kept = a_day()

    manifest = verify.Export(exported(tmp_path / "export")).manifest

    assert (manifest["events"], manifest["receipts"], manifest["checkpoints"]) == (
        kept.size + 1,
        7,
        2,
    )
    assert manifest["keys"] == [key_of()]
    assert manifest["epochs"] == [{"epoch": 1, "origin": f"{NAME}/{HOUSE}", "from": 0}]


def test_it_is_of_one_house_alone(tmp_path: Path) -> None:
    a_day()

    bodies = rows_of(exported(tmp_path / "export"), "events.jsonl")

    assert {body["establishment"] for body in bodies} == {str(HOUSE)}


def test_it_has_its_name_when_it_is_whole_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    a_day()

    def cut_off() -> Iterator[bytes]:
        assert not (tmp_path / "export").exists()
        yield b"{}"
        raise OSError(28, "No space left on device")

    for name in ("export", "export.zip"):
        with pytest.raises(OSError, match="No space left"):
            exporting.export(
                establishment=HOUSE, to=tmp_path / name, keys=[KEY.public], software="test",
                exported_at=Event.objects.filter(establishment=HOUSE)[0].recorded_at,
                extra_files={"more.jsonl": cut_off()},
            )  # fmt: skip
    assert list(tmp_path.iterdir()) == []
    assert exported(tmp_path / "export").stat().st_mode & 0o077 == 0
    assert exported(tmp_path / "export.zip").stat().st_mode & 0o077 == 0


def test_it_overwrites_nothing(tmp_path: Path) -> None:
    a_day()
    exported(tmp_path / "export")

    with pytest.raises(FileExistsError, match="overwrites nothing"):
        exported(tmp_path / "export")


def test_what_comes_while_it_is_written_is_left_out() -> None:
    """Also what was signed and answered meanwhile: all is of one head."""
    a_day()
    fixed = exporting.extent(HOUSE)

    bodies = exporting.bodies(HOUSE, fixed.events)
    next(bodies)
    appended("game/4", version=1)
    put(entry(refusal=Refusal(code="no", detail="No.")))
    signed()

    assert len(list(bodies)) == fixed.events - 1
    assert len(list(exporting.receipts(HOUSE, fixed.receipts))) == fixed.receipts
    assert len(list(exporting.covering(HOUSE, fixed, {}))) == 2


def test_a_book_with_a_gap_is_not_exported(tmp_path: Path) -> None:
    a_day()
    tamper("DELETE FROM ledger_event WHERE position = 5")

    with pytest.raises(Altered, match="Position 5 is missing"):
        exported(tmp_path / "export")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long("postgresql", but="citus")
@pytest.mark.parametrize("name", ["events.jsonl", "receipts.jsonl", "checkpoints.jsonl"])
def test_a_byte_that_was_changed_is_found(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Any byte of what a checkpoint covers: a sample of them, each in three ways (guarantee 2)."""
    kept = a_day()
    where = exported(tmp_path / "export")
    file = where / name
    whole = file.read_bytes()
    covered = {"events.jsonl": kept.size, "receipts.jsonl": kept.receipts}.get(name)
    end = len(b"".join(whole.splitlines(keepends=True)[:covered]))
    chance = Random(2)  # noqa: S311  of a test

    assert status(where, "--key", key_of()) == 0
    for at in sorted(chance.sample(range(end), 60)):
        change = chance.choice((0x01, 0x04, 0x20, 0x80))
        file.write_bytes(whole[:at] + bytes([whole[at] ^ change]) + whole[at + 1 :])
        assert status(where, "--key", key_of()) != 0, f"byte {at} of {name}"
    capsys.readouterr()


@pytest.mark.long("postgresql", but="citus")
@pytest.mark.parametrize("name", ["events.jsonl", "receipts.jsonl", "checkpoints.jsonl"])
def test_a_line_that_is_left_out_or_put_twice_is_found(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    a_day()
    where = exported(tmp_path / "export")
    file = where / name
    lines = file.read_bytes().splitlines(keepends=True)

    for other in (lines[1:], lines[:1] + lines, lines[:-1]):
        file.write_bytes(b"".join(other))
        assert status(where, "--key", key_of()) != 0
    capsys.readouterr()


def test_a_book_comes_back_byte_for_byte(tmp_path: Path) -> None:
    a_day()
    before, balances = stored(), money.balances(establishment=HOUSE)
    roots = {size: Tiles(HOUSE).root(size) for size in (1, 3, WIDTH, WIDTH + 5)}
    where = exported(tmp_path / "export")
    taken_away()
    assert head(establishment=HOUSE) == -1

    read_in(where)

    assert stored() == before
    assert money.balances(establishment=HOUSE) == balances
    assert money.differences(establishment=HOUSE) == {}
    assert {size: Tiles(HOUSE).root(size) for size in roots} == roots
    again = exported(tmp_path / "again")
    assert (again / "events.jsonl").read_bytes() == (where / "events.jsonl").read_bytes()
    assert (again / "manifest.json").read_bytes() == (where / "manifest.json").read_bytes()


def test_the_house_goes_on_where_it_was(tmp_path: Path) -> None:
    kept = a_day()
    where = exported(tmp_path / "export")
    taken_away()
    read_in(where)

    appended("game/4", version=1)
    after = signed()

    assert (after.origin, after.size) == (kept.origin, kept.size + 2)
    assert status(exported(tmp_path / "later"), "--key", key_of()) == 0


def test_an_import_that_was_killed_goes_on(tmp_path: Path) -> None:
    a_day()
    for number in range(3 * importing.BATCH):
        appended(f"more/{number}")
    signed()
    before = stored()
    where = exported(tmp_path / "export")
    taken_away()

    def killed(events: int) -> None:
        raise KeyboardInterrupt(events)

    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            importing.read_in(verify.Export(where), on_progress=killed)
    assert 0 < CommandReceipt.objects.filter(establishment=HOUSE).count() < len(before[2])
    read_in(where)

    assert stored() == before
    assert importing.read_in(verify.Export(where)) == 0


def test_another_book_of_the_house_is_not_added_to(tmp_path: Path) -> None:
    a_day()
    where = exported(tmp_path / "export")
    taken_away()
    appended("game/7")

    with pytest.raises(importing.Differs, match="Another book of this house"):
        importing.read_in(verify.Export(where))
    assert head(establishment=HOUSE) == 0


def test_old_shapes_stay_as_they_were_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    appended(events=2)
    before = stored()
    where = exported(tmp_path / "export")
    taken_away()
    monkeypatch.setitem(wire.UPCASTERS, ("test.happened", 1), lambda data: {**data, "more": True})

    read_in(where)

    assert stored() == before
    assert b'"schema_version":1' in bytes(Event.objects.get(establishment=HOUSE, position=0).body)


def rewritten(where: Path, name: str, nth: int, **changes: Json) -> None:
    lines = (where / name).read_bytes().splitlines()
    fields = {**json.loads(lines[nth]), **changes}
    lines[nth] = json.dumps(fields, sort_keys=True, separators=(",", ":")).encode()
    (where / name).write_bytes(b"".join(line + b"\n" for line in lines))


def test_what_does_not_hold_together_is_not_put_on_record(tmp_path: Path) -> None:
    """Whatever the checks before it have missed: the last word has the append."""
    appended(events=2)
    appended("game/2")
    where = exported(tmp_path / "export")
    taken_away()

    rewritten(where, "receipts.jsonl", 0, actor="somebody else")
    with pytest.raises(verify.Untrue, match="receipt 0"):
        importing.read_in(verify.Export(where))
    rewritten(where, "receipts.jsonl", 0, actor="attendant:1", last_position=2)
    with pytest.raises(verify.Untrue):
        importing.read_in(verify.Export(where))
    assert head(establishment=HOUSE) == -1


def test_subscribers_begin_where_they_are_told() -> None:
    appended()
    Subscription.objects.create(establishment=HOUSE, name="settlement", position=7)

    importing.begin(HOUSE, {"settlement": 0, "house": -1})

    rows = Subscription.objects.filter(establishment=HOUSE)
    assert dict(rows.values_list("name", "position")) == {"settlement": 0, "house": -1}


def test_what_booking_has_parked_comes_along(tmp_path: Path) -> None:
    appended(events=3)
    Subscription.objects.create(establishment=HOUSE, name="settlement", position=2)
    fields = {"name": "settlement", "parked": [
        {"position": 1, "stream": "game/1", "error": "KeyError: 'n'", "attempts": 1}
    ]}  # fmt: skip
    importing.park(HOUSE, fields)

    reached = importing.cursors_of_export(verify.Export(exported(tmp_path / "export")))

    assert reached == {"settlement": {**fields, "position": 2}}


def test_an_entry_of_a_refusal_keeps_who_and_when(tmp_path: Path) -> None:
    put(entry(refusal=Refusal(code="no", detail="No.")))
    where = exported(tmp_path / "export")

    [refused] = importing.commands(verify.Export(where))

    assert isinstance(refused.entry, Entry)
    assert refused.entry.refusal == Refusal(code="no", detail="No.")
    assert refused.entry.provenance.actor == "attendant:1"
