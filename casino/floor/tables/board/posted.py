"""
Reads a command of the vocabulary from a form, by the kinds of fields that the vocabulary declares.

A form names its fields as the vocabulary does. A list is a name sent several times; a field within
an object has both names with a dot between them: ``dice.d8``, ``breaks.die``, ``breaks.value``.
A field that is left empty is left out of the command. A value that cannot be read stays as it was
written, so that the vocabulary refuses it.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Final, Protocol

from casino.words.languages.amounts import read
from casino.words.presenters.opening_forms import read_number
from games import kinds
from games.vocabulary import VOCABULARY

if TYPE_CHECKING:
    from collections.abc import Mapping

TRUE: Final = frozenset({"true", "on", "1"})


class Posted(Protocol):
    """The fields of a form that was sent: Django's `QueryDict`, or a device's own object."""

    def get(self, name: str, otherwise: str, /) -> Any:
        """The last value of a field."""

    def getlist(self, name: str, /) -> list[Any]:
        """All values of a field, in order."""


def command(posted: Posted) -> dict[str, Any]:
    """The command that a form holds. If its ``do`` is unknown, the command is only that ``do``."""
    do = posted.get("do", "")
    fields = _fields(VOCABULARY[do]) if do in VOCABULARY else {}
    return {"do": do} | _record(posted, "", {name: fields[name] for name in fields if name != "do"})


def _fields(kind: kinds.Kind) -> Mapping[str, kinds.Kind]:
    """The fields of a command; if it has two forms, the fields of both: their names differ."""
    match kind:
        case kinds.Either(first=first, second=second):
            return {**_fields(first), **_fields(second)}
        case kinds.Record(required=required, optional=optional):
            return {**required, **optional}
        case _:
            return {}


def _record(posted: Posted, within: str, fields: Mapping[str, kinds.Kind]) -> dict[str, Any]:
    found = {name: _value(posted, f"{within}{name}", kind) for name, kind in fields.items()}
    return {name: value for name, value in found.items() if value is not None}


def _value(posted: Posted, name: str, kind: kinds.Kind) -> Any:
    """The value of one field of a form; None if the field is empty or missing."""
    match kind:
        case kinds.ListOf(item=kinds.Record() as item):
            return _rows(posted, name, _fields(item)) or None
        case kinds.ListOf(item=item):
            return [_single(each, item) for each in posted.getlist(name) if each.strip()] or None
        case kinds.Record():
            return _record(posted, f"{name}.", _fields(kind)) or None
        case kinds.Command(known=known):
            do = posted.get(f"{name}.do", "")
            own = _fields(known[do]) if do in known else {}
            rest = {each: own[each] for each in own if each != "do"}
            return {"do": do} | _record(posted, f"{name}.", rest) if do else None
        case _:
            written = posted.get(name, "")
            return _single(written, kind) if written.strip() else None


def _rows(posted: Posted, name: str, fields: Mapping[str, kinds.Kind]) -> list[dict[str, Any]]:
    """The rows of a list of objects: the nth row has the nth value of each field. Empty rows go."""
    columns = [posted.getlist(f"{name}.{field}") for field in fields]
    rows = []
    for written in zip_longest(*columns, fillvalue=""):
        cells = zip(fields.items(), written, strict=True)
        row = {field: _single(cell, kind) for (field, kind), cell in cells if cell.strip()}
        rows += [row] if row else []
    return rows


def _single(written: str, kind: kinds.Kind) -> Any:
    match kind:
        case kinds.Payout() if "." in written:  # the payment "12.0" is not a number
            return written
        case kinds.Coins():
            return read(written)
        case kinds.Number() | kinds.Reference():
            return read_number(written)
        case kinds.Flag():
            return True if written in TRUE else False if written == "false" else written
        case _:
            return written
