"""
A device that goes on alone shows what the house would: every line of every transcript (0041).

Each game is given as the house gives it, up to its opening; all that follows is entered on the
device, in a real Chromium, as forms. What the device foresees is compared with the same Python.
"""

from __future__ import annotations

import json
import uuid
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlencode

import pytest
from django.template.loader import render_to_string
from django.utils import translation
from playwright.sync_api import sync_playwright

from casino.floor.tables.offline import bundles, device_data, foresee
from casino.floor.tables.offline.device_data import locale
from casino.house.acts.game_streams.catalogue import RULESETS
from casino.words.languages import locales
from casino.words.languages.messages import translate
from casino.words.presenters import PRESENTERS
from games.refusals import Refused
from games.stone_hand import STONE_HAND
from games.threes_away import THREES_AWAY
from games.transcripts import Play, command_on
from tests import chromium
from tests.floor.board.test_floor_drawing import given_with as given_along
from tests.forms import every
from tests.games import expected_reports

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page

    from games.game import Ruleset

pytestmark = [pytest.mark.browser, pytest.mark.once]
AT, CLOCK = "2026-11-22T20:14:03Z", "21:14"  # at the table, and in Rome
REFERENCES = ("back_to", "request", "dispute", "payout")
FORESEEN = """
entries => {
  try {
    const { html, refused } = window.offline.foresee(entries);
    return [html, refused];
  } catch (thrown) {
    return [String(thrown), "thrown"];
  }
}
"""


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium.find(), args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        empty = browser.new_page()
        empty.set_content('<input name="csrfmiddlewaretoken" value="a-token">')
        yield empty
        browser.close()


@pytest.mark.rows(3)
@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda each: each.id)
def test_a_device_foresees_what_the_rules_decide(page: Page, ruleset: Ruleset) -> None:
    page.add_script_tag(content=bundles.bundle(ruleset.id).plain.decode())
    lines = 0
    for name in expected_reports.names(ruleset)[:: every(8)]:
        opened = opening(ruleset, name)
        if opened is None:
            continue
        page.evaluate("told => window.offline.start(told)", opened)
        known, waiting = foresee.update_known(None, opened, ruleset, PRESENTERS[ruleset.id]), []
        for seq, form in enumerate(entries(ruleset, name), 1):
            foreseen = foresee.put(known, entry(form))
            known = foreseen.known
            waiting.append({"seq": seq, "at": AT, "form": form})

            lines += 1
            if not foreseen.code and seq % every(3):
                continue  # it gets all entries before, too, with the next

            html, refused = page.evaluate(FORESEEN, waiting)

            where = f"{name}, entry {seq}: {form}" + (html if refused == "thrown" else "")
            wanted = {"seq": seq, "code": foreseen.code, "sentence": foreseen.sentence}
            assert refused == (wanted if foreseen.code else None), where
            if foreseen.code:
                waiting.pop()
            elif seq % 3 == 0 or not known.facts[-1].is_throw:
                assert html == drawn(known, len(waiting)), where
    assert lines > 50 / every(8)


@pytest.mark.rows(3)
@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda each: each.id)
def test_what_a_device_refuses_it_says_as_the_house_would(page: Page, ruleset: Ruleset) -> None:
    """In Italian, with the house's coins, for every refusal of the transcripts."""
    page.add_script_tag(content=bundles.bundle(ruleset.id).plain.decode())
    said = 0
    with in_italian():
        for name in expected_reports.names(ruleset)[:: every(8)]:
            opened = opening(ruleset, name)
            if opened is None:
                continue
            spoken = {**opened, "words": device_data.words(ruleset.id), "locale": locale()}
            page.evaluate("told => window.offline.start(told)", spoken)
            known, waiting = foresee.update_known(None, opened, ruleset, PRESENTERS[ruleset.id]), []
            for seq, form in enumerate(entries(ruleset, name), 1):
                foreseen = foresee.put(known, entry(form))
                known = foreseen.known
                waiting.append({"seq": seq, "at": AT, "form": form})
                if foreseen.code:
                    html, refused = page.evaluate(FORESEEN, waiting)
                    assert refused != "thrown", html
                    assert refused["sentence"] == translate(foreseen.sentence), f"{name}: {form}"
                    assert refused["sentence"] != foreseen.sentence
                    waiting.pop()
                    said += 1
    assert said


BROUGHT = [
    # a form of a game of 30 each in which a point is worth 10, the house's pieces; G11
    ("do=buy_in&player=A&amount=20", [10, 20, 50], True),
    ("do=buy_in&player=A&amount=15", [10, 20, 50], False),
    ("do=buy_in&player=A&amount=1", [1, 5, 25], True),
    ("do=join&player=D&stake=35", [10, 20, 50], False),
    ("do=cash_out&player=C&amount=20", [10, 20, 50], True),
    ("do=cash_out&player=C&amount=30", [20, 50], True),  # all they have
    ("do=cash_out&player=C&amount=10", [20, 50], False),
    ("do=buy_in&player=A&amount=60", [60, 100, 150], True),
    ("do=buy_in&player=A&amount=290", [60, 100, 150], False),  # nor any other sum of tens
]


@pytest.mark.parametrize(("form", "pieces", "taken"), BROUGHT)
def test_a_device_takes_what_the_house_s_pieces_make(
    page: Page, form: str, pieces: list[int], *, taken: bool
) -> None:
    page.add_script_tag(content=bundles.bundle(THREES_AWAY.id).plain.decode())
    opened = opening_of(
        THREES_AWAY,
        '{"do": "open", "game": "threes-away", "players": ["A", "B", "C"], "stake": 30,'
        ' "options": {"unit": 10}}',
    )
    opened["given"] |= {"booked": {"C": 30}}
    opened["given"]["house"] |= {"pieces": pieces, "unit": 10}
    page.evaluate("told => window.offline.start(told)", opened)
    known = foresee.update_known(None, opened, THREES_AWAY, PRESENTERS[THREES_AWAY.id])
    leaves = "do=leave&player=C"

    foreseen = foresee.put(foresee.put(known, entry(leaves)).known, entry(form))
    entered = [{"seq": seq, "at": AT, "form": each} for seq, each in enumerate((leaves, form), 1)]
    html, refused = page.evaluate(FORESEEN, entered)

    assert foreseen.code == ("" if taken else "not_in_pieces"), foreseen.sentence
    assert refused != "thrown", html
    assert (refused or {}).get("sentence", "") == foreseen.sentence


@contextmanager
def in_italian() -> Iterator[None]:
    """The reader's language, and a coin with two decimals."""
    locales.use("it-IT", "\N{EURO SIGN}", 2, code="EUR")
    with translation.override("it"):
        yield
    locales.use(locales.USUAL)


def test_what_came_otherwise_than_foreseen_is_told_as_it_came() -> None:
    """What was told of a throw that nobody but this device saw does not stand for another's."""
    opened = opening(STONE_HAND, "beside-the-play")
    assert opened is not None
    house = before = foresee.update_known(None, opened, STONE_HAND, PRESENTERS[STONE_HAND.id])
    foreseen = foresee.put(before, entry("do=throw&player=A&dice=1&dice=1&dice=7")).known
    assert "1-1-7" in dice_of(foresee.board(foreseen, 1))

    house = foresee.put(house, entry("do=throw&player=A&dice=2&dice=3&dice=4")).known
    events = [
        {"number": number, "type": kind, "data": data, "clock": CLOCK, "command_id": command(9)}
        for number, fact in enumerate(house.facts[before.decided :], before.decided + 1)
        for kind, data in [STONE_HAND.encode(fact)]
    ]
    came = foresee.update_known(before, {**opened, "events": events}, STONE_HAND, before.presenter)

    assert dice_of(foresee.board(came, 0)) == "2-3-4"
    whole = {**opened, "events": [*opened["events"], *events]}
    never = foresee.update_known(None, whole, STONE_HAND, before.presenter)
    assert foresee.report(came) == foresee.report(never)
    assert [each["dice"] for each in foresee.report(came)["throws"]] == [[2, 3, 4]]


def dice_of(board: dict[str, Any]) -> str:
    return " ".join("-".join(map(str, line["dice"])) for line in board["log"] if line.get("dice"))


def opening(ruleset: Ruleset, name: str) -> dict[str, Any] | None:
    """What the house gives of a game that was opened and no more; None: it was refused."""
    line, text = expected_reports.lines(ruleset, name)[0]
    try:
        return opening_of(ruleset, text, line)
    except Refused:
        return None


def opening_of(ruleset: Ruleset, text: str, line: int = 1) -> dict[str, Any]:
    """:raises Refused: if the rules do not take the command."""
    table = Play({ruleset.id: ruleset})
    table.put(line, command_on(line, text))
    events = [
        {
            "number": number,
            "type": kind,
            "data": data,
            "clock": "20:00",
            "command_id": command(line),
        }
        for number, fact in table.history
        for kind, data in [ruleset.encode(fact)]
    ]
    given: Any = given_along(ruleset=ruleset.id, through=len(events), booked={}, held={})
    whole = {"events": events, "given": given, "words": {"messages": {}}, "locale": locale()}
    there_and_back: dict[str, Any] = json.loads(json.dumps(whole))
    return there_and_back


def command(line: int) -> str:
    return str(uuid.UUID(int=line))


def entries(ruleset: Ruleset, name: str) -> Iterator[str]:
    """The lines after the opening as forms; an earlier line is named by its command."""
    for line, text in expected_reports.lines(ruleset, name)[1:]:
        raw = {**command_on(line, text), "command_id": command(line)}
        for field in REFERENCES:
            if isinstance(raw.get(field), int):
                raw[field] = command(raw[field])
        raw.pop("approved_by", None)  # the second person's command is another
        raw.pop("occurred_at", None)  # the device knows when
        yield urlencode(list(fields("", raw)))


def fields(within: str, value: Any) -> Iterator[tuple[str, str]]:
    match value:
        case dict():
            for name, each in value.items():
                yield from fields(f"{within}.{name}" if within else name, each)
        case list():
            for each in value:
                yield from fields(within, each)
        case bool():
            yield within, "true" if value else "false"
        case _:
            yield within, str(value)


def entry(form: str) -> foresee.Entry:
    return foresee.Entry(foresee.Form(tuple(parse_qsl(form, keep_blank_values=True))), AT, CLOCK)


def drawn(known: foresee.Known, unsent: int) -> str:
    board = foresee.board(known, unsent)
    return render_to_string("floor/tables/_board.html", {"board": board, "csrf_token": "a-token"})
