"""What a game of dice breaker shows of itself: every die, each hand, what a throw did."""

from typing import Any

from tests.games.spec_dice_breaker import BATTLE, TRUMP, opened, played


def test_the_arena_says_of_every_die_where_it_is() -> None:
    table = played(f"{TRUMP} A1=1 B1=2!A1 B:latent1=6/B1=3* A2=>A2:B", **BATTLE)

    rows = {die["die"]: die for die in table.view()["arena"]}

    assert len(rows) == 15
    assert rows["trump"] == row("trump", None, "arena", None, 3)
    assert rows["A1"] == row("A1", "A", "out", "A", None)
    assert rows["A2"] == row("A2", "A", "caught", "B", None)
    assert rows["A3"] == row("A3", "A", "hand", "A", None)
    assert rows["B1"] == row("B1", "B", "arena", "B", 3)
    assert rows["latent1"] == row("latent1", None, "arena", "B", 6)
    assert rows["latent2"] == row("latent2", None, "corner", None, None)


def row(
    die: str, own: str | None, place: str, owner: str | None, face: int | None
) -> dict[str, Any]:
    return {"die": die, "set": own, "place": place, "owner": owner, "face": face}


def test_the_trump_lies_in_the_first_hand_before_it_is_thrown_and_is_nobodys_alone() -> None:
    rows = {die["die"]: die for die in opened(**BATTLE).view()["arena"]}

    assert rows["trump"] == row("trump", None, "hand", None, None)


def test_hands_and_what_they_are_worth_by_now() -> None:
    table = played("A=665", first="A")

    assert table.view()["hands"] == {
        "A": {"hand": "pair", "points": "1", "dice": [5, 6, 6], "to_throw": ["A4", "A5"]},
        "B": {"hand": "nothing", "points": "0", "dice": [],
              "to_throw": ["B1", "B2", "B3", "B4", "B5"]},
    }  # fmt: skip


def test_how_the_starting_die_fell_stays_on_record() -> None:
    table = played("A<1 v2 A<4 B<2")

    assert table.view()["starting"] == [
        {"event": 2, "player": "A", "value": 1, "void": True},
        {"event": 4, "player": "A", "value": 4},
        {"event": 5, "player": "B", "value": 2},
    ]
    assert table.view()["throws"] == []


def test_a_throw_tells_what_it_broke_and_what_left_the_arena() -> None:
    table = played(f"{TRUMP} A1=1 B1=2/trump=4!A1 A2=>A2:B", **BATTLE)

    assert [
        {name: value for name, value in throw.items() if name not in {"event", "score"}}
        for throw in table.view()["throws"][2:]
    ] == [
        {"player": "B", "die": "B1", "value": 2, "hand": "nothing",
         "breaks": [{"die": "trump", "value": 4}], "out": ["A1"]},
        {"player": "A", "die": "A2", "value": None, "hand": "nothing",
         "caught": [{"die": "A2", "by": "B"}]},
    ]  # fmt: skip


def test_names_that_end_in_digits_do_not_confuse_the_dice() -> None:
    table = opened(["A", "A1", "trump"], first="A1")

    for die in ("A11", "A12", "A13", "A14", "A15"):
        table.ask({"do": "throw", "player": "A1", "die": die, "value": 2})
    table.ask({"do": "throw", "player": "trump", "die": "trump1", "value": 2})

    assert [throw["hand"] for throw in table.view()["throws"]][-2:] == ["five", "nothing"]


def test_people_see_names_where_the_record_has_tokens() -> None:
    table = played("A1=1 A2=2/A1=3", first="A")

    view = table.ruleset.view(table.numbered(), named=lambda player: f"Ms {player}")

    assert view["throws"][1]["breaks"] == [{"die": "Ms A1", "value": 3}]
    assert view["arena"][0]["die"] == "Ms A1"
