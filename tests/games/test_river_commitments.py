"""RV2: what is known of dice that nobody has shown, and what a reveal must match."""

import hashlib
import json
from typing import Any

import pytest

from games.refusals import Refused
from games.river import RIVER
from games.river.commitments import commitment
from games.river.hands import SIZES
from tests.games.river_spec import RiverTable, opened
from tests.games.test_river_rules import ROW_1

SALT = "c0ffee" * 6
DICE = (3, 5, 8, 9, 11)
BY_SIZE = dict(zip(SIZES, DICE, strict=True))


def sealed(given: str | None) -> RiverTable:
    """A has sealed, with `given`; the auction is over."""
    table = opened().tell("$")
    fields = {} if given is None else {"commitment": given}
    table.ask({"do": "seal", "player": "A", **fields})
    return table.tell("B* C* o1,1,1,1,1 w*")


def reveal(**fields: Any) -> dict[str, Any]:
    return {"do": "reveal", "player": "A", "dice": BY_SIZE, **fields}


def test_a_commitment_is_the_hash_of_salt_and_dice_in_ascii() -> None:
    text = b"c0ffeec0ffeec0ffeec0ffeec0ffeec0ffee:3,5,8,9,11"

    assert commitment(SALT, DICE) == hashlib.sha256(text).hexdigest()


def test_a_reveal_that_matches_is_taken_and_keeps_its_salt_for_whoever_checks() -> None:
    table = sealed(commitment(SALT, DICE))

    (event,) = table.ask(reveal(salt=SALT))

    assert RIVER.encode(event)[1]["salt"] == SALT


# fmt: off
REFUSED = [
    (commitment(SALT, DICE),            {},                                 "salt_missing"),
    (commitment(SALT, DICE),            {"salt": SALT[:-1] + "0"},          "commitment_broken"),
    (commitment(SALT, DICE),            {"salt": SALT.upper()},             "commitment_broken"),
    (commitment(SALT, (3, 5, 8, 9, 12)), {"salt": SALT},                    "commitment_broken"),
    (commitment("c0ffee", DICE),        {"salt": "c0ffee"},                 "bad_salt"),
    (commitment(SALT[:31], DICE),       {"salt": SALT[:31]},                "bad_salt"),
    (commitment("x" * 32, DICE),        {"salt": "x" * 32},                 "bad_salt"),
    (None,                              {"salt": SALT},                     "no_commitment"),
]
# fmt: on


@pytest.mark.parametrize(("given", "fields", "code"), REFUSED)
def test_a_reveal_that_does_not_match_is_refused_without_a_word_about_the_dice(
    given: str | None, fields: dict[str, Any], code: str
) -> None:
    table = sealed(given)

    with pytest.raises(Refused) as refused:
        table.ask(reveal(**fields))

    assert refused.value.code == code
    assert not any(str(face) in without_rule(refused.value) for face in DICE)


def without_rule(refusal: Refused) -> str:
    """The sentence without the numbers that belong to the rule itself."""
    return str(refusal).replace("RV2", "").replace("32 hex", "")


@pytest.mark.parametrize(
    "given", ["", "ab", "G" * 64, "A" * 64, "0" * 63, "0" * 65, "0" * 64 + "\n"]
)
def test_a_commitment_that_cannot_be_one_is_refused(given: str) -> None:
    table = opened().tell("$")

    with pytest.raises(Refused) as refused:
        table.ask({"do": "seal", "player": "A", "commitment": given})

    assert refused.value.code == "bad_commitment"


def test_nobody_commits_to_what_another_has_committed_to() -> None:
    """Else who copies a commitment could show the other's dice for their own."""
    table = opened().tell(f"$ A#{ROW_1} B#{ROW_1}")

    assert table.refused == ["commitment_used"]


def test_a_face_that_is_none_is_not_repeated() -> None:
    table = sealed(None)

    with pytest.raises(Refused, match=r"^dice\.d8: a d8 shows 1 to 8\. RV2$"):
        table.ask(reveal(dice={**BY_SIZE, "d8": 11}))


def test_a_hash_is_all_that_is_shown_of_a_sealed_hand() -> None:
    table = opened().tell(f"$ A#{ROW_1} B* C*")

    assert [RIVER.encode(event)[1] for event in table.history[-3:]] == [
        {"player": "A", "commitment": commitment("0123456789abcdef" * 2, (4, 6, 8, 10, 12))},
        {"player": "B", "commitment": None},
        {"player": "C", "commitment": None},
    ]
    shown = json.dumps([table.view(), table.offers(), RIVER.explain(table.numbered())])
    assert "commitment" not in shown
    assert table.view()["throws"] == []


def test_dice_of_who_left_must_match_too_and_decide_nothing() -> None:
    table = sealed(commitment(SALT, DICE)).tell("A- B=1,1,2,2,4 C=2,2,2,2,12")
    before = table.view()["stakes"]

    with pytest.raises(Refused, match="RV2"):
        table.ask(reveal(salt="0" * 32))
    table.ask(reveal(salt=SALT))

    assert table.view()["stakes"] == before
    assert table.view()["throws"][-1]["hand"] == "High 11/12"
