"""What somebody who may write everywhere does to a book, and what is then said of it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from ledger import canonical
from ledger.checking import roots
from ledger.checkpoints import Head
from ledger.checkpoints import _sign_head as signed_note
from ledger.ids import uuid7
from ledger.models import Checkpoint, Event, Tile
from ledger.tiles import WIDTH, Tiles
from ledger.verify import leaf_hash, root_of
from tests.ledger.building import HOUSE
from tests.ledger.tampering import unguarded
from tests.support.playing import NOW

if TYPE_CHECKING:
    from ledger.checking.book import Book
    from ledger.checking.findings import Finding
    from ledger.notes import SigningKey
    from tests.ledger.checked import Played


def said(found: list[Finding], check: str) -> list[tuple[int | None, int | None]]:
    """Positions, or intervals, that a check names."""
    return [(each.first, each.last) for each in found if each.check == check]


def checks(found: list[Finding]) -> set[str]:
    return {each.check for each in found}


def another_body(event: Event, **changes: Any) -> bytes:
    told = json.loads(bytes(event.body))
    told["data"]["forged"] = True
    return canonical.encode({**told, **changes})


def forge(played: Played, position: int) -> None:
    """Another body, and the hash beside it that fits."""
    row = played.events.filter(position=position)
    body = another_body(row.get())
    row.update(body=body, leaf_hash=leaf_hash(body))


def tiles_fit(played: Played) -> None:
    with unguarded():
        tile = Tile.objects.filter(establishment=played.house, level=0, index=0)
        leaves = [bytes(each) for each in played.events.values_list("leaf_hash", flat=True)[:WIDTH]]
        tile.update(hashes=b"".join(leaves), root=root_of(leaves))


def checkpoints_fit(played: Played, key: SigningKey) -> None:
    """Every checkpoint says what the book says by now, signed with a key."""
    follows = 0
    for row in Checkpoint.objects.filter(establishment=played.house).order_by("size"):
        root = Tiles(played.house).root(row.size)
        head = Head(row.size, root, row.receipts, bytes(row.chain), row.signed_at, follows)
        told, follows = signed_note(row.origin, head, [key]), row.size
        with unguarded():
            rows = Checkpoint.objects.filter(establishment=played.house, size=row.size)
            rows.update(root=root, note=told.note)


def put_in(played: Played, *, at: int) -> None:
    """An event that is whole in itself, with the right hash."""
    like = played.events.order_by("-position").first()
    fields = {"stream": "forged/1", "stream_version": 1, "command_seq": 0, "transfers": []}
    ids = {"event_id": uuid7(), "command_id": uuid4()}
    body = another_body(like, **fields, **{name: str(value) for name, value in ids.items()})
    for name, value in {**fields, **ids, "position": at, "body": body}.items():
        setattr(like, name, value)
    like.leaf_hash = leaf_hash(body)
    like.save(force_insert=True)


def signed_with(size: int) -> None:
    Checkpoint.objects.create(
        establishment=HOUSE, epoch=1, size=size, origin="o", root=b"", receipts=0, chain=b"",
        note="", signed_at=NOW,
    )  # fmt: skip


def damaged(book: Book) -> list[Finding]:
    """What is the matter with the tiles, but for that there are no events."""
    found = [each for step in roots.check_tiles(book, {}) for each in step.findings]
    return [each for each in found if each.first is not None]
