"""Bodies of events: canonical, and what the columns and the transfers should copy."""

from __future__ import annotations

import json
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

from ledger import canonical
from ledger.models import Event, Transfer

if TYPE_CHECKING:
    from collections.abc import Iterator

APART: Final = ("position", "body", "leaf_hash")  # what a body does not say of itself
COLUMNS: Final = tuple(
    each.name
    for each in Event._meta.concrete_fields  # noqa: SLF001 - documented API
    if each.name not in APART
)
COPIED: Final = itemgetter(*COLUMNS)
NUMBERS: Final = itemgetter("stream_version", "schema_version", "command_seq")
KEYS: Final = {*COLUMNS, "data", "transfers"}

AT: Final = ("position", "seq")  # what tells a transfer from the others of its house
OF_TRANSFERS: Final = AT + tuple(
    each.name
    for each in Transfer._meta.concrete_fields  # noqa: SLF001 - documented API
    if each.name not in {"establishment", *AT}
)
BOOKED: Final = itemgetter(*OF_TRANSFERS)
BOOKED_KEYS: Final = {"transfer_id", "debit", "credit", "amount", "reason", "reverses"}


def read(body: bytes) -> Any:
    """
    What a body says, if it is canonical.

    Nearly all bodies are ASCII: then the parser and the encoder, both in C, say what
    `canonical.decode` does, as that sorts by code points where all are ASCII.

    :raises NotCanonical: if it is not the one spelling of what it says.
    """
    if body.isascii() and b"\\u0000" not in body:
        try:
            fields, _ = PARSE(body.decode("ascii"))
            if canonical.WRITE(fields).encode("ascii") == body:
                return fields
        except (ValueError, RecursionError):
            pass  # said below, with its place
    try:
        return canonical.decode(body)
    except RecursionError:
        raise canonical.NotCanonical("Nested too deeply to be read.") from None


def booked(position: int, transfers: Any) -> Iterator[tuple[Any, ...]]:
    """
    The transfers of a body as rows, in the order of the columns.

    :raises ValueError: if they are none.
    """
    for seq, each in enumerate(transfers):
        if each.keys() != BOOKED_KEYS:
            raise ValueError(f"Transfer {seq} has other fields than a transfer has.")
        debit, credit = (each[side].partition(":") for side in ("debit", "credit"))
        yield BOOKED(
            {
                **each,
                "position": position,
                "seq": seq,
                "debit_kind": debit[0],
                "debit_name": debit[2],
                "credit_kind": credit[0],
                "credit_name": credit[2],
            }
        )


def _no_float(text: str) -> Any:
    raise ValueError(text)


def _whole(text: str) -> int:
    number = int(text)
    if -canonical.INTEGER_MAX <= number <= canonical.INTEGER_MAX:
        return number
    raise ValueError(text)


PARSE: Final = json.JSONDecoder(
    parse_int=_whole, parse_float=_no_float, parse_constant=_no_float
).raw_decode
