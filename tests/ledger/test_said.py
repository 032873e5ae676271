"""What an event says can be read alone, whatever its texts look like."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

from hypothesis import example, given, settings
from hypothesis import strategies as st

from ledger.canonical import encode, moment
from ledger.wire import read_content, read_event
from tests.forms import how_often

KEYS = (',"data":', ',"event_type":"x"', ',"schema_version":9', '"', "\\", '\\"', "{", "}")
HOUSE, AT = UUID(int=7), datetime(2026, 11, 20, 21, 30, tzinfo=UTC)

letters = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
texts = st.lists(st.sampled_from(KEYS) | st.text(letters, max_size=5), max_size=5).map("".join)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(texts, values, max_size=4), texts, texts, texts)
@example({"data": {"event_type": "no"}, "schema_version": 3}, *[',"data":{}'] * 3)
@settings(max_examples=how_often(200), deadline=None)
def test_what_an_event_says_is_what_all_of_it_says(
    data: dict[str, Any], actor: str, device: str, event_type: str
) -> None:
    body = encode(
        {
            "actor": actor, "causation_id": None, "command_id": str(HOUSE), "command_seq": 0,
            "correlation_id": str(HOUSE), "data": data, "device": device,
            "establishment": str(HOUSE), "event_id": str(HOUSE), "event_type": event_type,
            "gaming_day": date(2026, 11, 20).isoformat(), "occurred_at": moment(AT),
            "recorded_at": moment(AT), "schema_version": 1, "stream": "game/1",
            "stream_version": 1, "transfers": [],
        }
    )  # fmt: skip

    whole, said = read_event(HOUSE, 4711, body, b""), read_content(4711, body)

    assert said == (whole.position, whole.event_type, whole.data)
