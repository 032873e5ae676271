"""A body is spelled piece by piece; that it is the canonical spelling, whatever it holds."""

from dataclasses import replace
from typing import Any
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from ledger import canonical, wire
from ledger.accounts import AccountRef, Kind
from ledger.canonical import INTEGER_MAX
from ledger.entries import NAME_MAX, NewEvent
from tests.ledger.building import CAGE, HOUSE, entry, transfer

# No surrogates, which are no characters, and no NUL: an entry refuses both.
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
names = texts.filter(lambda it: 0 < len(it) <= NAME_MAX)
data = st.dictionaries(
    texts,
    st.recursive(
        st.none() | st.booleans() | st.integers(-INTEGER_MAX, INTEGER_MAX) | texts,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
        max_leaves=6,
    ),
    max_size=4,
)


@given(st.lists(names, min_size=5, max_size=5), data, st.none() | st.uuids())
def test_a_body_is_the_one_spelling_of_what_it_says(
    named: list[str], said: Any, cause: UUID | None
) -> None:
    actor, device, stream, event_type, reason = named
    asked = entry()
    by = replace(asked.provenance, actor=actor, device=device, causation_id=cause)
    happened = NewEvent(stream=stream, event_type=event_type, schema_version=3, data=said)
    moved = replace(
        transfer(CAGE, AccountRef(Kind.STAKE, f"{reason} of {actor}"[:NAME_MAX]), 25, at=1),
        reason=reason,
        reverses=cause,
    )
    asked = replace(
        asked, provenance=by, guards={stream: 6}, events=(happened, happened), transfers=(moved,)
    )

    first, second = (canonical.decode(row.body) for row in wire.write(HOUSE, asked))

    assert first == {
        "actor": actor,
        "causation_id": cause and str(cause),
        "command_id": str(by.command_id),
        "command_seq": 0,
        "correlation_id": str(by.correlation_id),
        "data": said,
        "device": device,
        "establishment": str(HOUSE),
        "event_id": str(happened.event_id),
        "event_type": event_type,
        "gaming_day": "2026-11-20",
        "occurred_at": "2026-11-21T00:55:50.000000Z",
        "recorded_at": "2026-11-21T00:55:51.000007Z",
        "schema_version": 3,
        "stream": stream,
        "stream_version": 7,
        "transfers": [],
    }
    assert (second["stream_version"], second["command_seq"]) == (8, 1)
    assert second["transfers"] == [
        {
            "transfer_id": str(moved.transfer_id),
            "debit": str(CAGE),
            "credit": str(moved.credit),
            "amount": 25,
            "reason": reason,
            "reverses": cause and str(cause),
        }
    ]
