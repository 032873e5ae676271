"""Compares stored tiles with the leaves computed from the bodies, and with the tiles below."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ledger.checking.findings import Finding, Step
from ledger.tiles import WIDTH, root_of_tile, split
from ledger.verify import HASH_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.checking.book import Book
    from ledger.checking.findings import Place
    from ledger.checking.roots import Leaves

ROWS: Final = """
    SELECT "index", hashes, root FROM ledger_tile
    WHERE establishment = %(house)s AND level = %(level)s
        AND "index" >= %(first)s AND "index" < %(stop)s
    ORDER BY "index\""""

SIGNED: Final = """
    SELECT max(size) FROM ledger_checkpoint
    WHERE establishment = %(house)s AND size <= %(stop)s"""

BEYOND: Final = """
    SELECT level, "index" FROM ledger_tile
    WHERE establishment = %(house)s AND level = %(level)s AND "index" >= (
        SELECT (coalesce(max(position), -1) + 1) / %(leaves)s FROM ledger_event
        WHERE establishment = %(house)s)
    ORDER BY "index" LIMIT 100"""

ABOVE: Final = """
    SELECT level, "index" FROM ledger_tile
    WHERE establishment = %(house)s AND level > %(level)s ORDER BY level, "index" LIMIT 100"""


def against_tiles(book: Book, first: int, made: Leaves, stored: Leaves) -> Iterator[Finding]:
    """
    Compare the stored tiles of leaves with the computed leaves of a stretch of positions.

    :param first: the position of the first leaf. :param made: the hashes computed from the bodies.
    :param stored: is filled with the hashes of the tiles.
    """
    stop = first + len(made)
    rows = book.bulk(ROWS, level=0, first=first // WIDTH, stop=-(-stop // WIDTH))
    for index, raw, root in rows:
        hashes, lo = bytes(raw), index * WIDTH
        begin, end = max(first, lo), min(stop, lo + WIDTH)
        if (broken := _broken(0, index, hashes, bytes(root))) is not None:
            yield broken
        kept = split(hashes)[begin - lo : end - lo]
        if len(kept) == end - begin and made[begin - first : end - first] != kept:
            yield from _differing(index, begin, made[begin - first : end - first], kept)
            stored[begin - first : end - first] = kept
        elif len(kept) == end - begin:
            stored[begin - first : end - first] = kept


def _differing(index: int, begin: int, made: Leaves, kept: list[bytes]) -> Iterator[Finding]:
    """One finding per tile: the first event that differs, and how many more do."""
    pairs = enumerate(zip(made, kept, strict=True), begin)
    wrong = [(at, one, other) for at, (one, other) in pairs if one is not None and one != other]
    if not wrong:
        return
    at, one, other = wrong[0]
    more = f", nor do {len(wrong) - 1} more up to {wrong[-1][0]}" if wrong[1:] else ""
    yield Finding(
        check="tile", says=f"The event at position {at} does not hash to what the stored tree has"
        f" of it{more}.",
        first=at, row={"tile": f"0/{index}"}, column="hashes",
        expected=one.hex() if one else None, found=other.hex(),
    )  # fmt: skip


def _broken(level: int, index: int, hashes: bytes, root: bytes) -> Finding | None:
    """The finding for a tile that is not full, or does not hash to its stored root."""
    unit = WIDTH ** (level + 1)
    where: dict[str, Any] = {
        "check": "tile", "first": index * unit, "last": (index + 1) * unit - 1,
        "row": {"tile": f"{level}/{index}"},
    }  # fmt: skip
    if len(hashes) != WIDTH * HASH_BYTES:
        says = f"The stored tile {level}/{index} does not hold {WIDTH} hashes."
        return Finding(says=says, column="hashes", **where)
    if (made := root_of_tile(hashes)) != root:
        says = f"The stored tile {level}/{index} hashes to another root."
        return Finding(says=says, column="root", expected=made.hex(), found=root.hex(), **where)
    return None


def check(book: Book, place: Place) -> Iterator[Step]:
    """
    The check of tiles: those above the leaves, and that all tiles exist and no others.

    :param place: ``level`` and ``index`` of the next tile.
    """
    [(signed,)] = book.rows(SIGNED, stop=book.stop)
    level, first = place.get("level", 0), place.get("index", book.start // WIDTH)
    while (count := (signed or 0) // WIDTH ** (level + 1)) > 0:
        for index in range(first, count, WIDTH if level == 0 else 1):
            stop = min(count, index + WIDTH) if level == 0 else index + 1
            found = list(_level(book, level, index, stop))
            yield Step(found, {"level": level, "index": stop}, stop - index)
        level, first = level + 1, book.start // WIDTH ** (level + 2)
    if "others" not in place:
        yield Step(list(_others(book, level)), {"level": level, "index": first, "others": True})


def _level(book: Book, level: int, first: int, stop: int) -> Iterator[Finding]:
    """Check tiles of a level: at level 0 that they exist; above, one tile with its 256 below."""
    if level == 0:
        statement = ROWS.replace("hashes, root", "1, 1")
        there = {index for index, *_ in book.rows(statement, level=0, first=first, stop=stop)}
        yield from (_absent(0, index) for index in range(first, stop) if index not in there)
        return
    rows = book.rows(ROWS, level=level, first=first, stop=stop)
    if not rows:
        yield _absent(level, first)
        return
    [(_, hashes, root)] = rows
    if (broken := _broken(level, first, bytes(hashes), bytes(root))) is not None:
        yield broken
    below = book.rows(ROWS, level=level - 1, first=first * WIDTH, stop=(first + 1) * WIDTH)
    made = {index - first * WIDTH: bytes(root) for index, _, root in below}
    unit = WIDTH**level
    for at, kept in enumerate(split(bytes(hashes))):
        if at in made and made[at] != kept:
            begin = (first * WIDTH + at) * unit
            yield Finding(
                check="tile", says=f"The stored tile {level}/{first} does not hold the root of the"
                f" tile {level - 1}/{first * WIDTH + at}.",
                first=begin, last=begin + unit - 1, row={"tile": f"{level}/{first}"},
                column="hashes", expected=made[at].hex(), found=kept.hex(),
            )  # fmt: skip


def _absent(level: int, index: int) -> Finding:
    unit = WIDTH ** (level + 1)
    return Finding(
        check="tile", says=f"The stored tile {level}/{index} is missing.",
        first=index * unit, last=(index + 1) * unit - 1, row={"tile": f"{level}/{index}"},
    )  # fmt: skip


def _others(book: Book, levels: int) -> Iterator[Finding]:
    """Findings for tiles whose events do not exist. Meanwhile new tiles may be written."""
    found: list[tuple[Any, ...]] = []
    for level in range(levels + 1):
        found += book.rows(BEYOND, level=level, leaves=WIDTH ** (level + 1))
    found += book.rows(ABOVE, level=levels)
    for level, index in found:
        yield Finding(
            check="tile", says=f"There is a stored tile {level}/{index}, and no events for it.",
            row={"tile": f"{level}/{index}"},
        )  # fmt: skip
