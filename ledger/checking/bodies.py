"""Parses the bodies of events: whether they are canonical, and what columns should copy."""

from __future__ import annotations

import json
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

from ledger import canonical
from ledger.models import Event, Transfer

if TYPE_CHECKING:
    from collections.abc import Iterator

NOT_IN_BODY: Final = ("position", "body", "leaf_hash")  # columns that are not in the body
COLUMNS: Final = tuple(
    each.name
    for each in Event._meta.concrete_fields  # noqa: SLF001 - documented API
    if each.name not in NOT_IN_BODY
)
COPIED: Final = itemgetter(*COLUMNS)
NUMBERS: Final = itemgetter("stream_version", "schema_version", "command_seq")
KEYS: Final = {*COLUMNS, "data", "transfers"}

AT: Final = ("position", "seq")  # these identify a transfer within its house
OF_TRANSFERS: Final = AT + tuple(
    each.name
    for each in Transfer._meta.concrete_fields  # noqa: SLF001 - documented API
    if each.name not in {"establishment", *AT}
)
BOOKED: Final = itemgetter(*OF_TRANSFERS)
BOOKED_KEYS: Final = {"transfer_id", "debit", "credit", "amount", "reason", "reverses"}


def read(body: bytes) -> Any:
    """
    The parsed body, if it is canonical.

    Nearly all bodies are ASCII. For them the parser and the encoder, both in C, give the same
    result as `canonical.decode`, because ASCII keys sort the same by code points.

    :raises NotCanonical: if the body is not the canonical spelling of its value.
    """
    if body.isascii() and b"\\u0000" not in body:
        try:
            fields, _ = PARSE(body.decode("ascii"))
            if canonical.WRITE(fields).encode("ascii") == body:
                return fields
        except (ValueError, RecursionError):
            pass  # the slow path below names the place
    try:
        return canonical.decode(body)
    except RecursionError:
        raise canonical.NotCanonical("Nested too deeply to be read.") from None


def rows_of_transfers(position: int, transfers: Any) -> Iterator[tuple[Any, ...]]:
    """
    The transfers of a body as rows, in the order of the columns.

    :raises ValueError: if one of them has not the fields of a transfer.
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
