"""The board as data: drawn from its arguments alone, so that a device draws the same one (0041)."""

from __future__ import annotations

import ast
import json
import tomllib
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest
from hypothesis import given as for_any
from hypothesis import strategies as st

from casino.floor.tables.board import drawing
from casino.floor.tables.board.drawing import log, offers, put_names
from casino.floor.tables.offline import pure
from casino.house.acts.game_streams.catalogue import RULESETS
from casino.words.presenters import PRESENTERS
from games.transcripts import Play, carry_on
from games.wire import UnknownEventType

if TYPE_CHECKING:
    from collections.abc import Iterator

    from casino.floor.tables.board.drawing_data import Game, Given
    from games.game import Ruleset
    from games.messages import Fact

TRANSCRIPTS = Path(__file__).parents[2] / "transcripts"
CATALOGUE = {ruleset.id: ruleset for ruleset in RULESETS}
BY_GAME = [
    (game, path) for game in CATALOGUE for path in sorted((TRANSCRIPTS / game).glob("*.jsonl"))
]
STANDARD = {
    "casino.words.languages.spelling.spelling",
    "collections",
    "collections.abc",
    "dataclasses",
    "enum",
    "fractions",
    "functools",
    "itertools",
    "math",
    "operator",
    "re",
    "types",
    "typing",
    "abc",
}
OF_DJANGO = {"gettext", "gettext_lazy", "ngettext", "pgettext_lazy"}
# What the rules stand on beside it; a device has it too.
OF_THE_RULES = {
    "games.characters": {"re", "unicodedata"},
    "games.kinds": {"datetime", "re"},
    "games.river.commitments": {"hashlib", "re"},
    "games.transcripts": {"json", "unicodedata"},
}
BOARDS = 6  # of each transcript, about
P_ADA, P_BO = "p-" + "a" * 12, "p-" + "b2" * 6
T_WHY = "t-" + "0f" * 32


def given_with(**more: Any) -> Given:
    """What a house might give of a game."""
    given: Any = {
        "game": "g",
        "ruleset": "stone-hand",
        "title": "Stone Hand",
        "table": {"id": "t", "name": "Table 1"},
        "house": {
            "id": "h",
            "currency": "r",
            "zone": "Europe/Rome",
            "locale": "it-IT",
            "language_and_locale": "en.it-IT",
            "steps": [1, 5, 25],
            "pieces": [1, 5, 25],
            "unit": 1,
        },
        "etag": '"7"',
        "command_id": "c",
        "person": "mira",
        "may": {"record": True, "approve": True},
        "people": {"attendant": "Mira", "approver": "Sela"},
        "names": {},
        "texts": {},
        "booked": {"A": 5},
        "held": {"B": 2},
        "through": 1,
        "settled_position": 40,
        "irreversible": 0,
        "undo": {"seconds": 30, "open": True, "left": 20, "at": None},
        "board": {"A": ("33/2", "A lamp", "7/2")},
        "awaited": [],
        "lease": {"term": 1, "mine": True, "held": True},
        "device": {"last_seq": 3},
        "only": None,
        "watching": False,
        "other_lines": [],
        "urls": {"board": "/b/", "round": "/rounds/%d/", "open": "/open/", "scoreboard": "/s/"},
        "ahead": None,
    }
    return cast("Given", {**given, **more})


def history(path: Path) -> tuple[Fact, ...]:
    """What happened in a transcript; nothing, where its opening was refused."""
    play = Play(CATALOGUE)
    carry_on(play, enumerate(path.read_text(encoding="utf-8").splitlines(), 1))
    return tuple(fact for _number, fact in play.history)


def game(ruleset: Ruleset, facts: tuple[Fact, ...]) -> Game:
    return drawing.play_facts(
        ruleset, PRESENTERS[ruleset.id], facts, lambda number: f"20:{number:02}"
    )


def sent(ruleset: Ruleset, facts: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """The events after their way through JSON."""
    wired = json.loads(json.dumps([ruleset.encode(fact) for fact in facts]))
    return tuple(ruleset.decode(event_type, data) for event_type, data in wired)


def prefixes(facts: tuple[Fact, ...]) -> Iterator[tuple[Fact, ...]]:
    """Some of the ways to a game's end, the end among them: each is a board of its own."""
    whole = [at for at in range(1, len(facts)) if not facts[at].consequence]  # after a command
    step = max(1, len(whole) // BOARDS)
    yield from (facts[:length] for length in [*whole[::step], len(facts)])


@pytest.mark.parametrize(("kind", "path"), BY_GAME, ids=[f"{k}/{p.stem}" for k, p in BY_GAME])
def test_a_board_needs_nothing_but_what_is_sent(kind: str, path: Path) -> None:
    ruleset, facts = CATALOGUE[kind], history(path)
    for some in prefixes(facts) if facts else ():
        here = json.dumps(drawing.draw_board(game(ruleset, some), given_with()))
        given: Any = json.loads(json.dumps(given_with()))
        there = json.dumps(drawing.draw_board(game(ruleset, sent(ruleset, some)), given))
        assert there == here


def test_every_game_that_is_played_is_drawn() -> None:
    assert {kind for kind, path in BY_GAME if history(path)} == set(CATALOGUE)


# --- What is pure stays pure --------------------------------------------------------------------


def imported(module: str) -> Iterator[tuple[str, str]]:
    """What a module imports when it runs: module and name."""
    spec = find_spec(module)
    assert spec is not None
    assert spec.origin is not None
    tree = ast.parse(Path(spec.origin).read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.Import):
            yield from ((each.name, "") for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from ((node.module, each.name) for each in node.names)


def strange(module: str, name: str) -> bool:
    """Whether what is pure may not stand on it."""
    if module == "django.utils.translation":
        return name not in OF_DJANGO
    own = {module, f"{module}.{name}"}
    return not own & {*pure(), *STANDARD, "__future__"} and not module.startswith("games")


@pytest.mark.parametrize("module", pure())
def test_what_a_device_runs_stands_on_nothing_that_it_has_not(module: str) -> None:
    assert [each for each in imported(module) if strange(*each)] == []


def test_the_rules_that_a_device_runs_are_as_pure() -> None:
    """A surprise here is for whoever compiles: `games` is in every bundle."""
    found: dict[str, set[str]] = {}
    for path in sorted(Path("games").rglob("*.py")):
        module = ".".join(path.with_suffix("").parts).removesuffix(".__init__")
        known = {*OF_THE_RULES.get(module, ())}
        strangers = {each for each, name in imported(module) if strange(each, name)} - known
        found |= {module: strangers} if strangers else {}
    assert found == {}


def test_what_is_barred_from_the_database_is_what_devices_run() -> None:
    """import-linter looks further than the check above: at what is imported by what is imported."""
    settings = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    (contract,) = [each for each in contracts if "What devices run" in each["name"]]

    assert contract["source_modules"] == list(pure())
    assert {
        "ledger",
        "casino.house.attendants.pseudonyms",
        "casino.house.acts.game_streams.loading",
    } <= {*contract["forbidden_modules"]}


@pytest.mark.parametrize(
    ("line", "is_strange"),
    [
        (("django.urls", "reverse"), True),
        (("casino.house.attendants.pseudonyms", "tokens"), True),
        (("django.utils.translation", "get_language"), True),
        (("datetime", "datetime"), True),
        (("casino.play.core", "stories"), True),
        (("casino.words.presenters", "rounds"), False),
        (("games.payments", "POT"), False),
    ],
)
def test_the_check_above_would_notice(line: tuple[str, str], is_strange: bool) -> None:  # noqa: FBT001
    assert strange(*line) is is_strange


# --- Names --------------------------------------------------------------------------------------

MEANINGS = {P_ADA: "Ada", P_BO: "Bo"}
WORDS = {T_WHY: f"{P_BO} touched it"}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (P_ADA, "Ada"),
        (f"{P_ADA}3 hits {P_BO}", "Ada3 hits Bo"),
        (f"{P_ADA}{P_BO}", "AdaBo"),
        ({P_ADA: [P_BO, 1, None, {"x": (P_ADA,)}]}, {"Ada": ["Bo", 1, None, {"x": ["Ada"]}]}),
        (f"Void: {T_WHY}", "Void: Bo touched it"),  # texts first, then the names in them
        ("p-nobody and t-nothing", "p-nobody and t-nothing"),
        ("p-" + "z" * 12, "p-" + "z" * 12),  # erased: the token stays
        ("step-by-step", "step-by-step"),
        (True, True),
    ],
)
def test_tokens_become_names_wherever_they_stand(value: Any, expected: Any) -> None:
    assert put_names(value, MEANINGS, WORDS) == expected


@for_any(st.lists(st.sampled_from(["p-", "t-", "p", "-", "a", " ", "3", "b2", "é"])))
def test_what_is_no_token_is_left_as_it_is(parts: list[str]) -> None:
    text = "".join(parts)
    kept = {P_ADA: "Ada"} if P_ADA not in text else {}

    assert put_names(text, kept, {T_WHY: "why"}) == text


# --- A device ahead of its house, and one that watches -------------------------------------------


def one_round() -> Game:
    return game(CATALOGUE["stone-hand"], history(TRANSCRIPTS / "stone-hand/beside-the-play.jsonl"))


def test_what_the_house_does_not_know_yet_is_marked() -> None:
    known = len(one_round().facts) - 3

    board = drawing.draw_board(one_round(), given_with(ahead={"unsent": 2, "from": known}))

    assert board["ahead"] == {"unsent": 2, "from": known}
    assert {each["number"] for each in board["log"] if each["ahead"]} > {known + 1}
    assert not [each for each in board["log"] if each["ahead"] and each["number"] <= known]


def test_on_the_house_s_own_board_nothing_is_foreseen() -> None:
    board = drawing.draw_board(one_round(), given_with())

    assert board["ahead"] is None
    assert not any(each["ahead"] for each in board["log"])


def test_who_watches_is_offered_a_second_person_s_acts_alone() -> None:
    """E5: another device records."""
    running = game(
        CATALOGUE["stone-hand"],
        history(TRANSCRIPTS / "stone-hand/beside-the-play.jsonl")[:6],
    )

    assert "throw" in {each["do"] for each in offers(running, given_with())}
    assert {each["do"] for each in offers(running, given_with(only=["handover", "dispute"]))} <= {
        "handover",
        "dispute",
    }


def test_lines_beside_the_game_stand_where_they_belong() -> None:
    """E5: who took the recording over stands in the log of the table."""
    round_one = one_round()
    lines: Any = [
        {"after": 0, "clock": "19:00", "kind": "lease", "sentence": "first"},
        {"after": 3, "clock": "20:03", "kind": "lease", "sentence": "then"},
        {"after": len(round_one.facts), "clock": "23:00", "kind": "lease", "sentence": "last"},
    ]

    lines = log(
        round_one,
        round_one.presenter,
        people={},
        when=round_one.when,
        round_url="/%d/",
        other_lines=lines,
    )

    places = {each.get("sentence"): place for place, each in enumerate(lines)}
    after_three = [each["number"] for each in lines[places["then"] :] if each["number"]]
    before_three = [each["number"] for each in lines[: places["then"]] if each["number"]]
    assert places["last"] == 0
    assert places["first"] == len(lines) - 1
    assert max(after_three) <= 3 < min(before_three)


def test_an_event_from_another_game_is_no_event_here() -> None:
    with pytest.raises(UnknownEventType):
        CATALOGUE["river"].decode("stone_hand.dice_thrown", {})
