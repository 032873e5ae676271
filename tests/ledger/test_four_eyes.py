"""C1: the ledger takes no approval from whoever asked, whoever is paid, or anybody absent."""

from dataclasses import replace

import pytest
from django.db import DatabaseError

from ledger import journal
from ledger.journal import FourEyes, Json
from tests.ledger.building import HOUSE, entry, event
from tests.ledger.forbidden import forge

pytestmark = pytest.mark.django_db

ACTOR = "attendant:1"  # of tests.ledger.building.provenance

# fmt: off
REFUSED: list[tuple[str, dict[str, Json]]] = [
    ("who asked approves",      {"asked_by": ACTOR, "approved_by": ACTOR}),
    ("who acts is another",     {"asked_by": "b", "approved_by": "c"}),
    ("nobody asked",            {"approved_by": ACTOR}),
    ("nobody is named",         {"asked_by": None, "approved_by": ACTOR}),
    ("who approves is paid",    {"asked_by": "b", "approved_by": ACTOR, "beneficiaries": ["c", ACTOR]}),  # noqa: E501
    ("no name at all",          {"asked_by": "b", "approved_by": ""}),
    ("something like yes",      {"asked_by": "b", "approved_by": True}),
    ("who did it reviews it",   {"asked_by": ACTOR, "reviewed_by": ACTOR}),
    ("another reviews it",      {"asked_by": "b", "reviewed_by": "c"}),
    ("one of two is not second", {"asked_by": "b", "approved_by": ACTOR, "reviewed_by": "c"}),
]
TAKEN: list[tuple[str, dict[str, Json]]] = [
    ("a second person",         {"asked_by": "b", "approved_by": ACTOR}),
    ("who is not paid",         {"asked_by": "b", "approved_by": ACTOR, "beneficiaries": ["b"]}),
    ("nobody has yet",          {"asked_by": ACTOR, "approved_by": None}),
    ("done alone, and said so", {"asked_by": ACTOR, "approved_by": None, "alone": True}),
    ("a second person reviews", {"asked_by": "b", "reviewed_by": ACTOR}),
    ("words in a deeper place", {"after": {"asked_by": ACTOR, "approved_by": ACTOR}}),
    ("words as a value",        {"note": '"approved_by":"attendant:1"'}),
]
# fmt: on


def put(data: dict[str, Json]) -> None:
    journal.append(
        establishment=HOUSE, entries=[entry({"game/1": 0}, [replace(event(), data=data)])]
    )


@pytest.mark.parametrize(("why", "data"), REFUSED)
def test_c1_an_approval_that_is_none_is_refused(why: str, data: dict[str, Json]) -> None:
    with pytest.raises(FourEyes) as refused:
        put(data)

    assert refused.value.code == "four_eyes", why
    assert refused.value.stream == "game/1"
    assert journal.head(establishment=HOUSE) == -1


@pytest.mark.parametrize(("why", "data"), TAKEN)
def test_c1_what_is_no_approval_or_a_good_one_is_taken(why: str, data: dict[str, Json]) -> None:
    put(data)

    assert journal.head(establishment=HOUSE) == 0, why


def test_c1_one_bad_signature_refuses_the_whole_entry() -> None:
    good = event(asked_by="b", approved_by=ACTOR)
    bad = event(asked_by=ACTOR, approved_by=ACTOR)

    with pytest.raises(FourEyes):
        journal.append(establishment=HOUSE, entries=[entry({"game/1": 0}, [good, bad])])

    assert journal.head(establishment=HOUSE) == -1


# fmt: off
BY_HAND = [
    '{"approved_by":"attendant:1","asked_by":"attendant:1"}',
    '{"approved_by" : "attendant:1"}',
    r'{"\u0061pproved_by":"attendant:1","asked_by":"attendant:1"}',
    '{"approved_by":"attendant:1","asked_by":"b","beneficiaries":["attendant:1"]}',
    r'{"approved_by":"attendant:1","asked_by":"b","benefici\u0061ries":["attendant:1"]}',
    '{"asked_by":"b","reviewed_by":"c"}',
]
# fmt: on


@pytest.mark.parametrize("forged", BY_HAND)
def test_c1_nor_does_a_row_by_hand_get_in(forged: str) -> None:
    put({"n": 0})

    with pytest.raises(DatabaseError, match="ledger_four_eyes"):
        forge({}, ('{"n":0}', forged))

    assert journal.head(establishment=HOUSE) == 0


def test_c1_a_row_by_hand_that_a_second_person_signed_would_get_in() -> None:
    """So that what is refused above is the signature and nothing else."""
    put({"n": 0})

    forge({}, ('{"n":0}', '{"approved_by":"attendant:1","asked_by":"b"}'))

    assert journal.head(establishment=HOUSE) == 1
