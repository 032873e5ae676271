"""The tree grows, is signed, and proves what is in it; by the independent verifier."""

from datetime import timedelta
from pathlib import Path
from uuid import UUID

import pytest

from ledger import checkpoints, epochs, proofs, verify
from ledger.journal import Refusal, append
from ledger.models import Checkpoint, CommandReceipt, Event, Tile
from ledger.notes import SigningKey
from ledger.tiles import WIDTH, Altered, Tiles
from tests.forms import every
from tests.ledger.building import HOUSE, OTHER_HOUSE, RECORDED, appended, entry
from tests.ledger.tampering import tamper

pytestmark = pytest.mark.django_db

NAME = "dice.example"
KEY = SigningKey.generate("unnamed")


def grown(establishment: UUID = HOUSE, *keys: SigningKey) -> Checkpoint:
    signed = checkpoints.grow(
        establishment=establishment, keys=keys or (KEY,), name=NAME, now=RECORDED
    )
    assert signed is not None
    return signed


def public(checkpoint: Checkpoint, key: SigningKey = KEY) -> verify.Key:
    return key.named(checkpoint.origin).public


def test_a_checkpoint_signs_the_root_over_all_bodies_and_the_chain_of_all_answers() -> None:
    appended(events=3)
    append(establishment=HOUSE, entries=[entry(refusal=Refusal(code="no", detail="No."))])

    signed = grown()

    checkpoint = verify.Checkpoint.parse(signed.note.encode())
    assert (checkpoint.origin, checkpoint.size, checkpoint.receipts) == (f"{NAME}/{HOUSE}", 3, 2)
    bodies = Event.objects.filter(establishment=HOUSE).order_by("position")
    tree = verify.Range()
    tree.extend([verify.leaf_hash(bytes(each.body)) for each in bodies])
    assert checkpoint.root == tree.root() == bytes(signed.root)
    assert verify.Trust(keys=(public(signed),)).believe(checkpoint)


def test_nothing_new_is_not_signed_again() -> None:
    appended()
    grown()

    assert checkpoints.grow(establishment=HOUSE, keys=[KEY], name=NAME, now=RECORDED) is None


def test_a_house_without_events_signs_nothing() -> None:
    assert checkpoints.grow(establishment=HOUSE, keys=[KEY], name=NAME, now=RECORDED) is None


def test_houses_have_trees_and_origins_of_their_own() -> None:
    appended(events=2)
    appended(establishment=OTHER_HOUSE)

    assert {(each.size, each.origin) for each in (grown(), grown(OTHER_HOUSE))} == {
        (2, f"{NAME}/{HOUSE}"),
        (1, f"{NAME}/{OTHER_HOUSE}"),
    }


def test_a_house_keeps_the_origin_that_it_has_told() -> None:
    appended()
    grown()
    appended(version=1)

    signed = checkpoints.grow(establishment=HOUSE, keys=[KEY], name="moved.example", now=RECORDED)

    assert signed is not None
    assert signed.origin == f"{NAME}/{HOUSE}"


def test_full_tiles_are_stored_once_and_hash_to_the_same_root() -> None:
    sizes, version = [], 0
    for events in (WIDTH - 1, 1, 1, 2 * WIDTH + 10):
        appended(version=version, events=events)
        version += events
        sizes.append(grown().size)

    leaves = Tiles(HOUSE).leaves(0, version)
    assert Tile.objects.filter(establishment=HOUSE, level=0).count() == 3
    for size in sizes:
        tree = verify.Range()
        tree.extend(leaves[:size])
        assert Tiles(HOUSE).root(size) == tree.root()


def test_what_no_tile_has_yet_is_hashed_for_what_others_have() -> None:
    appended(events=WIDTH)
    grown()
    appended(version=WIDTH, events=2 * WIDTH + 10)
    leaves = Tiles(HOUSE).leaves(0, 3 * WIDTH + 10)

    for size in (WIDTH, WIDTH + 1, 2 * WIDTH, 3 * WIDTH, 3 * WIDTH + 10):
        tree = verify.Range()
        tree.extend(leaves[:size])
        assert Tiles(HOUSE, beyond=True).root(size) == tree.root()
    with pytest.raises(Altered, match=f"Position {3 * WIDTH} is missing"):
        Tiles(HOUSE, beyond=True).root(4 * WIDTH)
    Tiles(HOUSE).write(2, leaves[2 * WIDTH : 3 * WIDTH])
    with pytest.raises(Altered, match=f"Position {WIDTH} is missing, or its tile"):
        Tiles(HOUSE, beyond=True).root(3 * WIDTH)  # not the last: it is missing


def test_every_event_has_a_receipt_and_every_checkpoint_a_link() -> None:
    appended(events=WIDTH + 3)
    older = grown()
    appended(version=WIDTH + 3, events=WIDTH)
    newer = grown()
    trust = verify.Trust(keys=(public(newer),))

    for position in (0, 1, WIDTH - 1, WIDTH, WIDTH + 2, newer.size - 1):
        receipt = verify.Receipt.parse(str(proofs.receipt(HOUSE, position)).encode())
        receipt.check()
        assert trust.believe(receipt.checkpoint)
        assert receipt.body == bytes(Event.objects.get(position=position).body)
    link = verify.Link.parse(str(proofs.link(HOUSE, older.size, newer.size)).encode())
    link.check(proofs.parse_checkpoint(older))


def test_a_receipt_is_made_for_the_checkpoint_that_somebody_kept() -> None:
    appended(events=4)
    kept = proofs.parse_checkpoint(grown())
    appended(version=4, events=5)
    grown()

    receipt = proofs.receipt(HOUSE, 2, size=kept.size)

    receipt.check()
    assert verify.Trust(kept=(kept,)).believe(receipt.checkpoint)


@pytest.mark.parametrize(("position", "size"), [(3, None), (0, 2), (2, 1)])
def test_what_no_checkpoint_covers_has_no_receipt(position: int, size: int | None) -> None:
    appended()
    grown()
    appended(version=1, events=4)

    with pytest.raises(proofs.NotCovered):
        proofs.receipt(HOUSE, position, size=size)


def test_a_stranger_with_yesterdays_checkpoint_tells_any_changed_byte(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    appended(events=5)
    kept = tmp_path / "kept.checkpoint"
    kept.write_text(grown().note)
    appended(version=5, events=9)
    grown()
    true = str(proofs.receipt(HOUSE, 3, size=5)).encode()
    file = tmp_path / "payout.tlog-proof"

    def status(data: bytes) -> int:
        file.write_bytes(data)
        return verify.main(["receipt", str(file), "--checkpoint", str(kept)])

    assert status(true) == 0
    assert all(
        status(true[:at] + bytes([true[at] ^ change]) + true[at + 1 :]) != 0
        for at in range(0, len(true), every(21))
        for change in (0x01, 0x20, 0x80)
    )
    assert all(status(true[:at]) != 0 for at in range(0, len(true), every(3) * 7))
    capsys.readouterr()


def test_two_keys_sign_while_one_is_exchanged_for_the_other() -> None:
    next_key = SigningKey.generate("unnamed")
    appended()
    both = grown(HOUSE, KEY, next_key)

    for key in (KEY, next_key):
        trust = verify.Trust(keys=(public(both, key),))
        assert trust.believe(proofs.parse_checkpoint(both))


def test_a_secret_key_survives_its_own_spelling_and_hides_itself() -> None:
    assert SigningKey.parse(KEY.line) == KEY
    assert KEY.line not in repr(KEY)
    assert verify.Key.parse(str(KEY.public)) == KEY.public


def test_a_body_that_was_changed_after_it_was_signed_stops_the_signing() -> None:
    appended(events=3)
    grown()
    appended(version=3)
    body = bytes(Event.objects.get(position=1).body)
    tamper(
        "UPDATE ledger_event SET body = %s WHERE position = 1", [body.replace(b'"n":1', b'"n":7')]
    )

    with pytest.raises(Altered, match="first 3 events") as found:
        checkpoints.grow(establishment=HOUSE, keys=[KEY], name=NAME, now=RECORDED)

    assert (found.value.first, found.value.last) == (0, 2)
    assert Checkpoint.objects.count() == 1


def restored_at(size: int) -> None:
    """The book as an older copy has it."""
    tamper("DELETE FROM ledger_checkpoint WHERE size > %s", [size])
    tamper("DELETE FROM ledger_commandreceipt WHERE first_position >= %s", [size])
    tamper("DELETE FROM ledger_event WHERE position >= %s", [size])


def test_nothing_is_signed_while_somebody_has_a_checkpoint_that_is_ahead() -> None:
    """As after a restore: guarantee 2."""
    appended(events=5)
    ahead = proofs.parse_checkpoint(grown())
    restored_at(3)

    with pytest.raises(checkpoints.BehindPublished, match="5 events of epoch 1"):
        checkpoints.grow(
            establishment=HOUSE, keys=[KEY], name=NAME, now=RECORDED, published=[ahead]
        )


def test_a_book_that_went_on_past_what_it_lost_is_still_not_what_others_have() -> None:
    """Its tiles have not grown: nothing is signed meanwhile."""
    appended(events=3)
    grown()
    appended(version=3, events=WIDTH)
    ahead = proofs.parse_checkpoint(grown())
    tamper("DELETE FROM ledger_tile", [])
    restored_at(3)
    appended("game/2", events=WIDTH + 4)

    with pytest.raises(checkpoints.BehindPublished, match="is not of this book"):
        checkpoints.grow(
            establishment=HOUSE, keys=[KEY], name=NAME, now=RECORDED, published=[ahead]
        )


def test_a_new_epoch_names_what_was_lost_and_signs_under_another_origin() -> None:
    appended(events=3)
    kept = proofs.parse_checkpoint(grown())
    appended(version=3, events=2)
    ahead = proofs.parse_checkpoint(grown())
    restored_at(3)

    guards, opened = epochs.opening(
        establishment=HOUSE, published=ahead, epoch=1, reason="t-restored"
    )
    append(establishment=HOUSE, entries=[entry(guards, [opened])])
    signed = checkpoints.grow(
        establishment=HOUSE,
        keys=[KEY],
        name=NAME,
        now=RECORDED + timedelta(hours=1),
        published=[ahead, kept],
    )

    assert opened.data["lost"] == {"from": 3, "to": 4}
    assert signed is not None
    assert (signed.epoch, signed.origin, signed.size) == (2, f"{NAME}/{HOUSE}/2", 4)
    with pytest.raises(verify.Untrue):
        verify.Trust(kept=(ahead,)).believe(proofs.parse_checkpoint(signed))


def test_answers_are_numbered_in_the_order_in_which_they_were_given() -> None:
    appended(events=2)
    append(establishment=HOUSE, entries=[entry(refusal=Refusal(code="no", detail="No."))])
    appended("game/2")
    appended(establishment=OTHER_HOUSE)

    rows = CommandReceipt.objects.filter(establishment=HOUSE).order_by("seq")
    assert [(row.seq, row.first_position) for row in rows] == [(0, 0), (1, None), (2, 2)]
