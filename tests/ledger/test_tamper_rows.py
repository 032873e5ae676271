"""Rows that are gone, exchanged, forged, cut off, signed anew; and whole books that are older."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.db.models import F

from ledger.checking.book import Book
from ledger.ids import uuid7
from ledger.models import (
    Account,
    Checkpoint,
    CommandReceipt,
    ParkedEvent,
    Subscription,
    Tile,
    Transfer,
)
from ledger.notes import SigningKey
from ledger.tiles import WIDTH, Tiles
from ledger.verify import leaf_hash
from tests.ledger import checked
from tests.ledger.building import HOUSE
from tests.ledger.forging import (
    another_body,
    checkpoints_fit,
    checks,
    damaged,
    forge,
    put_in,
    said,
    signed_with,
    tiles_fit,
)
from tests.ledger.tampering import unguarded
from tests.support.module_data import built_once
from tests.support.playing import NOW

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django import DjangoDbBlocker

    from tests.ledger.checked import Played

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def untouched(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[checked.Played]:
    """Here, too, so that one process gets all tests of this module (tests/sharing.py)."""
    del django_db_setup
    yield from built_once(checked.sound, django_db_blocker)


STRANGER = SigningKey.generate("unnamed")
FAR = 1_000_000
LONG_AGO = timedelta(days=400)


class TestRowsThatAreGone:
    @pytest.mark.parametrize("position", [0, 7, 200, 300])
    def test_a_deleted_event_is_missed_where_it_was(self, played: Played, position: int) -> None:
        with unguarded():
            played.events.filter(position=position).delete()

        assert (position, position) in said(played.found(), "position")

    def test_a_deleted_stretch_is_missed_as_one(self, played: Played) -> None:
        with unguarded():
            played.events.filter(position__range=(20, 29)).delete()

        assert said(played.found(), "position") == [(20, 29)]

    def test_a_deleted_transfer_is_missed_in_its_event(self, played: Played) -> None:
        event = played.event_in(0, played.kept.size)
        with unguarded():
            Transfer.objects.filter(establishment=played.house, position=event.position).delete()

        found = played.found()
        assert (event.position, None) in said(found, "transfer")
        assert "account" in checks(found)

    def test_a_deleted_receipt_is_missed_by_its_number_and_by_its_events(
        self, played: Played
    ) -> None:
        row = CommandReceipt.objects.filter(establishment=played.house, last_position=20).get()
        with unguarded():
            row.delete()

        found = played.found()
        assert {"receipt": row.seq, "to": row.seq} in [each.row for each in found]
        assert (20, None) in said(found, "receipt")

    def test_a_deleted_account_is_missed_by_its_transfers(self, played: Played) -> None:
        with unguarded():
            Account.objects.filter(establishment=played.house, kind="cage").delete()

        assert [each.row for each in played.found()] == [{"account": "cage:main"}]

    def test_a_deleted_tile_is_missed(self, played: Played) -> None:
        with unguarded():
            Tile.objects.filter(establishment=played.house).delete()

        assert said(played.found(), "tile") == [(0, 255)]

    def test_the_newest_checkpoint_is_missed_by_who_signed_it(self, played: Played) -> None:
        with unguarded():
            Checkpoint.objects.filter(establishment=played.house, size=played.newest.size).delete()

        assert checks(played.found()) == {"checkpoint"}

    def test_a_checkpoint_in_between_is_missed_by_the_one_behind_it(self, played: Played) -> None:
        """What it covered is covered by the next, which says after which it was signed."""
        with unguarded():
            Checkpoint.objects.filter(establishment=played.house, size=played.kept.size).delete()

        [missed] = played.found(kept=(played.kept,))

        assert (missed.check, missed.row["checkpoint"]) == ("checkpoint", played.kept.size)

    def test_the_first_checkpoint_is_missed_too(self, played: Played) -> None:
        first = Checkpoint.objects.filter(establishment=played.house).order_by("size")[0]
        with unguarded():
            Checkpoint.objects.filter(establishment=played.house, size=first.size).delete()

        assert [each.row["checkpoint"] for each in played.found()] == [first.size]


class TestRowsThatAreForged:
    def test_two_bodies_exchanged_with_their_hashes_are_both_found(self, played: Played) -> None:
        one, other = played.events.get(position=8), played.events.get(position=12)
        with unguarded():
            for at, row in ((8, other), (12, one)):
                rows = played.events.filter(position=at)
                rows.update(body=row.body, leaf_hash=row.leaf_hash)

        found = played.found()
        assert {(8, None), (12, None)} <= set(said(found, "column"))
        assert (8, None) in said(found, "tile")

    def test_two_whole_rows_exchanged_are_found_by_the_tree(self, played: Played) -> None:
        with unguarded():
            for at, to in ((8, FAR), (12, 8), (FAR, 12)):
                played.events.filter(position=at).update(position=to)

        found = played.found()
        assert said(found, "tile") == [(8, None)]
        assert said(found, "root")[0] == (8, None)

    def test_an_event_put_in_between_is_found_where_it_stands(self, played: Played) -> None:
        with unguarded():
            played.events.filter(position__gte=100).update(position=F("position") + FAR)
            played.events.filter(position__gte=FAR).update(position=F("position") + 1 - FAR)
            put_in(played, at=100)

        found = played.found()
        assert said(found, "tile")[0] == (100, None)
        assert said(found, "root")[0][0] == played.kept.size

    def test_an_event_put_behind_the_last_has_no_receipt(self, played: Played) -> None:
        end = played.events.count()
        with unguarded():
            put_in(played, at=end)

        assert [(each.check, each.first) for each in played.found()] == [("receipt", end)]

    @pytest.mark.parametrize(
        ("column", "value"),
        [("actor", "x"), ("recorded_at", NOW - LONG_AGO), ("first_position", 7)],
    )
    def test_an_answer_that_no_checkpoint_covers_yet_is_held_against_its_events(
        self, played: Played, column: str, value: Any
    ) -> None:
        rows = CommandReceipt.objects.filter(establishment=played.house)
        at = rows.filter(last_position__gte=played.newest.size).order_by("seq")[0]
        with unguarded():
            rows.filter(seq=at.seq).update(**{column: value})

        found = [each for each in played.found() if each.row.get("receipt") == at.seq]
        assert [each.column for each in found] == [column]

    def test_a_transfer_that_no_body_has_is_found_in_its_event(self, played: Played) -> None:
        with unguarded():
            Transfer.objects.create(
                transfer_id=uuid7(), establishment=played.house, position=9, seq=0,
                debit_kind="cage", debit_name="main", credit_kind="bank", credit_name="house",
                amount=1, reason="forged",
            )  # fmt: skip

        found = played.found()
        assert (9, None) in said(found, "transfer")
        assert "account" in checks(found)

    def test_a_forged_body_with_its_hash_is_named_by_the_stored_tree(self, played: Played) -> None:
        with unguarded():
            forge(played, 33)

        found = played.found()
        assert said(found, "tile") == [(33, None)]
        assert said(found, "root") == [(33, None)]

    def test_where_the_tiles_fit_it_too_the_interval_between_checkpoints_is_named(
        self, played: Played
    ) -> None:
        with unguarded():
            forge(played, played.kept.size + 5)
        tiles_fit(played)

        sizes = Checkpoint.objects.filter(establishment=played.house).order_by("size")
        second = sizes.values_list("size", flat=True)[1]
        assert said(played.found(), "root") == [(played.kept.size, second - 1)]

    def test_where_no_tile_is_full_yet_the_hash_beside_the_body_names_it(
        self, played: Played
    ) -> None:
        at = played.newest.size - 2
        assert at > WIDTH
        with unguarded():
            row = played.events.filter(position=at)
            row.update(body=another_body(row.get()))

        found = played.found()
        assert said(found, "leaf") == [(at, None)]
        assert said(found, "root") == [(at, None)]

    @pytest.mark.parametrize(
        "spelt",
        [
            pytest.param(lambda body: body.replace(b'":', b'": ', 1), id="white space"),
            pytest.param(lambda body: body[:-1] + b',"actor":"x"}', id="a key twice"),
            pytest.param(lambda body: body.replace(b'"data":{', b'"data":{"a":1.5,'), id="a float"),
            pytest.param(
                lambda body: body.replace(b'"schema_version":1', b'"schema_version":true'),
                id="true for one",
            ),
            pytest.param(
                lambda body: body.replace(b'"data":{', b'"data":{"a":9007199254740992,'),
                id="a number that not every reader keeps",
            ),
            pytest.param(lambda _body: b"[]", id="no object"),
            pytest.param(lambda _body: b"\xff", id="no text"),
            pytest.param(lambda _body: b"[" * 100_000, id="nested without end"),
        ],
    )
    def test_a_body_in_another_spelling_is_no_body(self, played: Played, spelt: Any) -> None:
        """Where no checkpoint covers it, and its hash fits: its form alone gives it away."""
        at = played.newest.size
        body = spelt(bytes(played.events.get(position=at).body))
        with unguarded():
            played.events.filter(position=at).update(body=body, leaf_hash=leaf_hash(body))

        assert (at, None) in said(played.found(), "body")


class TestTheEnd:
    def test_cut_off_below_the_newest_checkpoint_is_told_by_it(self, played: Played) -> None:
        size = played.newest.size - 3
        checked.cut(played, size, down_to="answers")

        found = played.found()
        assert (size, played.newest.size - 1) in said(found, "root")

    def test_cut_off_beyond_it_is_told_by_the_receipts(self, played: Played) -> None:
        checked.cut(played, played.newest.size, down_to="events")

        at = played.newest.size + 2
        assert (at, None) in said(played.found(), "receipt")

    def test_cut_off_with_its_receipts_is_told_by_who_has_read_it(self, played: Played) -> None:
        checked.cut(played, played.newest.size, down_to="answers")

        assert checks(played.found()) == {"account", "cursor"}

    def test_a_parked_event_that_is_gone_is_told(self, played: Played) -> None:
        end = played.events.count()
        ParkedEvent.objects.create(
            establishment=played.house, subscription="projections", position=end, stream="s",
            error="", parked_at=NOW,
        )  # fmt: skip

        assert checks(played.found()) == {"parked"}

    def test_cut_off_with_everything_that_could_tell_is_exposed_until_a_copy_covers_it(
        self, played: Played
    ) -> None:
        """Guarantee 2: what no exported checkpoint covers yet."""
        checked.cut(played, played.newest.size, down_to="everything")

        assert played.found(kept=(played.newest,)) == []

    def test_an_older_copy_of_it_all_is_told_by_a_checkpoint_kept_outside(
        self, played: Played
    ) -> None:
        checked.cut(played, played.kept.size, down_to="everything")
        assert played.found() == []

        [behind] = played.found(kept=(played.newest,))

        assert (behind.check, behind.first) == ("kept", played.kept.size)
        assert behind.last == played.newest.size - 1
        assert f"{played.newest.size - played.kept.size} behind" in behind.says

    def test_a_follower_that_is_ahead_is_told(self, played: Played) -> None:
        Subscription.objects.filter(establishment=played.house, name="house").update(position=FAR)

        assert [each.row for each in played.found()] == [{"follower": "house"}]


class TestSignatures:
    def test_checkpoints_signed_with_another_key_are_not_the_houses(self, played: Played) -> None:
        checkpoints_fit(played, STRANGER)

        found = played.found()
        assert checks(found) == {"signature"}
        assert len(found) == 3

    def test_a_book_forged_throughout_and_signed_with_the_houses_own_key_is_told_outside(
        self, played: Played
    ) -> None:
        at = played.kept.size - 2
        with unguarded():
            forge(played, at)
        tiles_fit(played)
        checkpoints_fit(played, checked.KEY)
        assert played.found() == []

        [differs] = played.found(kept=(played.kept,))

        assert (differs.check, differs.first, differs.last) == ("kept", 0, played.kept.size - 1)

    def test_with_two_copies_outside_the_interval_is_between_them(self, played: Played) -> None:
        with unguarded():
            forge(played, played.kept.size + 2)
        tiles_fit(played)
        checkpoints_fit(played, checked.KEY)

        [differs] = played.found(kept=(played.kept, played.newest))

        assert (differs.first, differs.last) == (played.kept.size, played.newest.size - 1)


class TestThePartSinceACheckpoint:
    def test_finds_what_was_changed_in_it(self, played: Played) -> None:
        at = played.newest.size - 2
        with unguarded():
            forge(played, at)

        found = played.found(since=at)

        assert played.book(since=at).start > played.kept.size
        assert said(found, "root") == [(played.book(since=at).start, played.newest.size - 1)]

    def test_rests_on_what_is_stored_before_it_being_what_was_signed(self, played: Played) -> None:
        with unguarded():
            forge(played, 33)
        tiles_fit(played)

        assert "root" in checks(played.found(since=played.newest.size))


def test_a_tile_of_tiles_is_held_against_those_below_it() -> None:
    """65 536 leaves fill one; here they are of no event."""
    tiles, size = Tiles(HOUSE), WIDTH * WIDTH
    for index in range(WIDTH):
        tiles.write(index, [leaf_hash(b"%d" % at) for at in range(index, index + WIDTH)])
    signed_with(size)
    book = Book(
        establishment=HOUSE, using="default", keys=(), start=0, stop=size, receipts=0,
        now=NOW,
    )  # fmt: skip
    assert damaged(book) == []
    above = Tile.objects.filter(establishment=HOUSE, level=1)
    hashes = bytes(above.get().hashes)
    with unguarded():
        above.update(hashes=hashes[: 7 * 32] + leaf_hash(b"") + hashes[8 * 32 :])

    found = damaged(book)

    assert said(found, "tile") == [(0, size - 1), (7 * WIDTH, 8 * WIDTH - 1)]
