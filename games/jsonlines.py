"""A strict JSON reader for the ledger: no duplicate keys, no NaN, no endless numbers or nesting."""

import json
from collections import Counter
from typing import Any, Final, NoReturn

from games.refusals import Malformed

DIGITS_MAX: Final = 400  # more than any sensible number has; Python itself stops at 4300


def loads(text: str) -> Any:
    """
    :raises Malformed: if `text` is not one JSON value, or one that JSON readers understand
        differently.
    """
    try:
        return json.loads(
            text, object_pairs_hook=_unique, parse_constant=_no_number, parse_int=_integer
        )
    except json.JSONDecodeError as broken:
        raise Malformed(f"Not JSON: {broken.msg} at column {broken.colno}.") from None
    except RecursionError:
        raise Malformed("Not a command: nested too deeply.") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        [(twice, _), *_] = Counter(name for name, _ in pairs).most_common(1)
        raise Malformed(f"{twice} stands twice in one object.", field=twice)
    return fields


def _no_number(literal: str) -> NoReturn:
    raise Malformed(f"{literal} is no JSON number.")


def _integer(digits: str) -> int:
    return int(digits[:DIGITS_MAX])
