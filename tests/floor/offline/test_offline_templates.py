"""
The templates of a board, compiled for a device, give byte for byte what Django gives (0041).

In a real Chromium: every board of every transcript, and small templates on any values.
"""

from __future__ import annotations

import copy
import json
import re
from contextlib import contextmanager
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

import pytest
from django.core.serializers.json import DjangoJSONEncoder
from django.template import engines
from django.template.loader import render_to_string
from django.test import override_settings
from django.utils import translation
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from playwright.sync_api import sync_playwright

from casino.floor.tables.board import drawing
from casino.floor.tables.board.drawing_data import Game
from casino.floor.tables.offline import device_data
from casino.floor.tables.offline.compiling import python, templates
from casino.floor.tables.offline.device_data import locale
from casino.house.acts.game_streams.catalogue import RULESETS
from casino.words.languages import locales, reader
from casino.words.presenters import PRESENTERS, TITLES
from games import vocabulary
from games.messages import live
from games.refusals import Refused
from games.transcripts import Play, command_on
from tests import chromium
from tests.forms import every, how_often
from tests.games import expected_reports

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from playwright.sync_api import Page

    from games.game import Ruleset
    from games.session import GameSession

pytestmark = [pytest.mark.browser, pytest.mark.once]
STATIC = "casino/floor/tables/offline/scripts"
LANGUAGES = {"en": "en-GB", "it": "it-IT"}
COINS = {"en": ("€", "EUR"), "it": ("r", "")}  # a sign in front, and one behind
DECIMALS = {"en": 0, "it": 2}
LOG = re.compile(r'<aside class="log".*?</aside>', re.DOTALL)
UNSIGNED = re.compile(r".{20}\d,\d\d(?!\s?r\b)")  # an amount without the sign of the Italian house
TOKEN = "a-token"
DRAWN = """
([name, contexts]) => JSON.parse(contexts).map((context) => window.offline.templates[name]({
  board: python.json(context.board), refused: python.json(context.refused), csrf_token: "a-token",
}))
"""
ANY = """
([name, values]) => {
  try {
    return window.offline.templates[name](Object.fromEntries(python.json(values).items()));
  } catch (thrown) {
    return { thrown: String(thrown) };
  }
}
"""


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    """An empty page with what compiled templates stand on."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium.find(), args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        empty = browser.new_page()
        for name in ("python", "templates"):
            empty.add_script_tag(path=f"{STATIC}/{name}.js")
        yield empty
        browser.close()


def brought(page: Page, compiled: templates.Compiled) -> None:
    """A device with these templates, speaking the reader's language."""
    page.evaluate("window.offline.own = {}")
    page.add_script_tag(content=python.compile_script(compiled.own, given="window.offline.own"))
    page.add_script_tag(content=compiled.source)


def as_json(value: Any) -> Any:
    return json.loads(json.dumps(value, cls=DjangoJSONEncoder))


# --- Whole boards -----------------------------------------------------------------------------


@pytest.mark.rows(6)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda each: each.id)
def test_a_device_draws_every_board_of_every_transcript_as_the_house_does(
    page: Page, ruleset: Ruleset, language: str
) -> None:
    with reading(page, ruleset, language):
        step = every(8) if language == "en" else 8
        contexts = [as_json(draw()) for draw in islice(boards(ruleset), 0, None, step)]
        house = [
            render_to_string(templates.BOARD, each | {"csrf_token": TOKEN}) for each in contexts
        ]
        brought(page, templates.board(ruleset.id))

        device = page.evaluate(DRAWN, [templates.BOARD, json.dumps(contexts)])

    assert len(house) > 15
    for one, other in zip(house, device, strict=True):
        assert one == other
    if DECIMALS[language]:
        logs = [LOG.search(each) for each in device]
        assert [found for log in logs if log and (found := UNSIGNED.findall(log[0]))] == []


@contextmanager
def reading(page: Page, ruleset: Ruleset, language: str) -> Iterator[None]:
    """A reader of this language at a house that writes figures in its way."""
    symbol, code = COINS[language]
    locales.use(LANGUAGES[language], symbol, DECIMALS[language], code=code)
    with translation.override(language):
        page.evaluate(
            "([words, locale]) => { window.python.speak(words); window.offline.locale = locale; }",
            [device_data.words(ruleset.id)["messages"], locale()],
        )
        yield
    locales.use(locales.USUAL)


def boards(ruleset: Ruleset) -> Iterator[Callable[[], dict[str, Any]]]:
    """What draws the board after every line of every transcript, seen by different people."""
    for number, name in enumerate(expected_reports.names(ruleset)):
        table, refused = Play({ruleset.id: ruleset}), None
        for line, text in expected_reports.lines(ruleset, name):
            try:
                raw = command_on(line, text)
                table.put(line, awkward(raw) if number % 2 else raw)
            except Refused as refusal:
                refused = {"sentence": str(refusal)}
            if table.state is not None:
                yield partial(context, table, ruleset, line, refused)
            refused = None


def context(
    table: Play, ruleset: Ruleset, line: int, refused: dict[str, str] | None
) -> dict[str, Any]:
    assert table.state is not None
    return {"board": board(table, table.state, ruleset, line), "refused": refused}


def awkward(raw: Mapping[str, Any]) -> dict[str, Any]:
    """The same command for people whose names a page has to escape."""
    return vocabulary.map_players(raw, lambda name: f'{name} <O\'Neil> & "co"')


def board(table: Play, state: GameSession[Any], ruleset: Ruleset, line: int) -> dict[str, Any]:
    standing = tuple(live(table.history))
    game = Game(
        ruleset=ruleset,
        presenter=PRESENTERS[ruleset.id],
        facts=[fact for _, fact in table.history],
        state=state,
        live=standing,
        view=ruleset.view(table.history),
        when=lambda number: f"20:{number % 60:02}",
    )
    return drawing.draw_board(game, given_along(ruleset, line, len(table.history)))


def given_along(ruleset: Ruleset, line: int, version: int) -> Any:
    """What a house may say beside the events, another thing with each line."""
    mine = line % 7 > 0
    return {
        "game": "g", "ruleset": ruleset.id, "title": TITLES[ruleset.id],
        "table": {"id": "t", "name": "Table <3>"},
        "house": {"id": "h", "currency": "r", "zone": "Europe/Rome", "locale": locales.current(),
                  "language_and_locale": reader.language_and_locale(), "steps": [1, 5, 25, 100],
                  "pieces": [1, 5, 25, 100], "unit": 1},
        "etag": '"e"', "command_id": f"c-{line}", "person": "sela",
        "may": {"record": line % 11 > 0, "approve": line % 2 == 0},
        "people": {"sela": "Sela", "mira": "Mira"}, "names": {}, "texts": {},
        "booked": {"A": 12_345} if line % 3 == 0 else {}, "held": {"B": 1} if line % 4 == 0 else {},
        "through": version - line % 2, "settled_position": 1_234, "irreversible": 0,
        "undo": {"seconds": 30, "open": line % 3 == 0, "left": line, "at": line or None},
        "awaited": [{"amount": 1_500, "table": "Table 4"}] if line % 5 == 0 else [],
        "lease": {"term": line, "mine": mine, "held": line % 3 > 0, "by": "Mira", "since": "20:14",
                  "heard": line * 7 % 200, "minutes": 1 + line % 2, "lost": line % 2 == 0,
                  "waiting": line % 3},
        "device": {"last_seq": line}, "only": None, "watching": not mine,
        "other_lines": [
            {"after": 1, "clock": "20:00", "kind": "lease", "sentence": "Mira took over."},
        ],
        "urls": {name: f"/floor/{name}/?a&b" for name in (
            "board", "offline", "command", "entries", "lease", "log", "table_events", "void",
            "supervisor",
            "open", "players", "attendant")} | {"round": "/floor/rounds/%d/"},
        "ahead": {"unsent": 1 + line % 2, "from": max(1, version - 2)} if line % 3 == 0 else None,
    }  # fmt: skip


# --- Small templates --------------------------------------------------------------------------

TEXT = st.text("aZé ßs09-%()<>&\"'\n\U0001f3b2", max_size=6)
INT = st.integers(-(10**9), 10**9)
PLAIN = st.none() | st.booleans() | INT | TEXT | st.sampled_from(["<b>'\"&", "", "7", " 8 ", "%s"])
LIST = st.lists(PLAIN, max_size=4)
DICT = st.dictionaries(st.sampled_from("abc"), PLAIN, max_size=3)
VALUE = PLAIN | LIST | DICT | st.lists(DICT, max_size=2)

# What is written with x, y and z, for values that a board may have there.
# fmt: off
SMALL: list[tuple[str, dict[str, st.SearchStrategy[Any]]]] = [
    ("{{ x }}{{ missing }}{{ x.a }}{{ x.0 }}",
     {"x": PLAIN}),
    ("{{ x.a }}, {{ x.0 }}, {{ x.b.c }}",
     {"x": DICT | LIST | TEXT | st.none()}),
    ("{% for k, v in x.items %}{{ k }}={{ v }};{% empty %}-{% endfor %}",
     {"x": DICT}),
    ("{% if x %}a{% elif y %}b{% else %}c{% endif %}",
     {"x": VALUE, "y": VALUE}),
    ("{% if x and not y or z %}a{% endif %}",
     {"x": VALUE, "y": VALUE, "z": VALUE}),
    ("{% if x == y %}={% endif %}{% if x != z %}!{% endif %}",
     {"x": PLAIN | LIST, "y": PLAIN | LIST, "z": PLAIN}),
    ("{% if x == '<b>' %}={% endif %}{% if x is None %}0{% elif x is not None %}1{% endif %}",
     {"x": PLAIN}),
    ("{% if x < y %}<{% endif %}{% if x >= y %}>{% endif %}{% if x > 3 %}3{% endif %}",
     {"x": INT | st.none(), "y": INT | st.booleans()}),
    ("{% if x <= y %}-{% endif %}",
     {"x": INT | st.none(), "y": LIST | TEXT}),
    ("{% if x in y %}i{% endif %}{% if x not in y %}o{% endif %}{% if missing in y %}m{% endif %}",
     {"x": PLAIN, "y": LIST | TEXT | DICT | st.none()}),
    ("{% for each in x %}{{ forloop.counter }}{{ forloop.last }}{{ each }}{% empty %}-{% endfor %}",
     {"x": LIST | TEXT | st.none()}),
    ("{% for each in x reversed %}{{ forloop.revcounter }}{{ forloop.first }}{% endfor %}",
     {"x": LIST}),
    ("{% for a in x %}{% for b in y %}{{ forloop.parentloop.last }}{{ a }}{% endfor %}{% endfor %}",
     {"x": LIST, "y": LIST}),
    ("{% for a, b in x %}{{ a }}/{{ b }} {% endfor %}{{ a }}",
     {"x": st.lists(st.tuples(PLAIN, PLAIN), max_size=3)}),
    ("{% with a=x b='<i>' %}{{ a }}{{ b }}{% with a=b %}{{ a }}{% endwith %}{% endwith %}{{ a }}",
     {"x": PLAIN}),
    ("{% with a=missing %}{{ a }}{{ a|default_if_none:'none' }}{% endwith %}",
     {}),
    ("{{ x|default:y }}{{ x|default:'<b>' }}{{ missing|default:x }}",
     {"x": PLAIN, "y": PLAIN}),
    ("{{ x|default_if_none:'n' }}{{ missing|default_if_none:'n' }}",
     {"x": PLAIN}),
    ("{{ x|length }}{% if x|length > 1 %}many{% endif %}{{ missing|length }}",
     {"x": VALUE}),
    ("{{ x|add:y }}|{{ x|add:-1 }}|{{ 'id-'|add:y }}",
     {"x": PLAIN, "y": PLAIN}),
    ("{{ x|capfirst }}{{ x|upper }}{{ 'éa'|capfirst }}{{ x|stringformat:'d' }}",
     {"x": PLAIN}),
    ("{{ x|slice:':2' }}{{ x|slice:'-1:' }}{{ x|slice:'1:3' }}",
     {"x": TEXT}),
    ("{% for each in x|slice:':2' %}{{ each }}{% endfor %}",
     {"x": LIST}),
    ("{{ x|money }}{{ x|typed }}{% coins_mode %}{% decimal_key %}{% coin_decimals %}",
     {"x": INT | st.none()}),
    ("{{ x|short_coins }}",
     {"x": INT}),
    ("{% firstof x y '<z>' %}{% firstof x %}",
     {"x": PLAIN, "y": PLAIN}),
    ("{% translate '100% <b>' %}{% translate 'a&b' as said %}{{ said }}{{ said|length }}",
     {}),
    ("{% blocktranslate with a=x %}{{ a }} of {{ y }}, 5 %{% endblocktranslate %}",
     {"x": PLAIN, "y": PLAIN}),
    ("{% blocktranslate trimmed asvar b with a=x %}\n <i>{{ a }}\n{% endblocktranslate %}{{ b }}",
     {"x": PLAIN}),
    ("{% blocktranslate count n=x %}{{ n }} coin{% plural %}{{ n }} coins{% endblocktranslate %}",
     {"x": INT}),
    ("{{ _('<b>') }}{{ missing|default:_('a\"') }}",
     {}),
    ("{% include 'inner' with x=1 only %}",
     {"x": PLAIN}),
    ("{% include 'inner' %}{% include 'inner' with x=y z='&' %}{{ set }}",
     {"x": PLAIN, "y": PLAIN}),
    ("{% with more='named.html' %}{% include more %}{% endwith %}",
     {"x": PLAIN}),
    ("{% load dice points %}{% sheet_die x 8 y %}{% owner_sign x %}{{ x|points }}",
     {"x": st.integers(1, 8), "y": st.sampled_from(["plain", "kept"])}),
    ("{% load hands %}{% hand x %}{% hand x 7 %}",
     {"x": st.sampled_from(["", "pair", "two_pairs", "two <b>"])}),
    ("{% load dice %}{% for n in x|places %}{{ n }}{% endfor %}{% sheet_dice y 6 'kept' owner=x %}",
     {"x": st.integers(0, 5), "y": st.none() | st.lists(st.integers(1, 6), max_size=3)}),
    ("{% url 'floor' %}{% load static %}{% static 'css/base.css' %}{% csrf_token %}{# no #}",
     {}),
    ("{% load l10n %}{% localize off %}{{ x }}{% if x > 9 %}{{ y }}{% endif %}{% endlocalize %}",
     {"x": INT, "y": TEXT}),
    ("{% comment %}{{ x }}{% endcomment %}{# {{ x }} #}",
     {}),
]
# fmt: on
INNER = "{% load i18n %}[{{ x }}{{ z }}{% translate 'set' as set %}{{ set }}]"


@pytest.fixture(scope="module")
def small(page: Page) -> Iterator[None]:
    """The small templates, at the house and on the device."""
    sources = {f"small {number}": source for number, (source, _) in enumerate(SMALL)}
    sources |= {"inner": INNER, "named.html": "({{ x }})"}
    with templates_of(sources):
        page.evaluate("window.python.speak({})")
        brought(page, templates.compile_templates(list(sources)))
        yield


@contextmanager
def templates_of(sources: dict[str, str]) -> Iterator[None]:
    """An engine that knows these templates; tags of i18n and money are loaded."""
    engine = copy.deepcopy(engines.templates["django"])
    options = engine["OPTIONS"]
    loaded = {name: "{% load i18n money %}" + source for name, source in sources.items()}
    options["loaders"] = [("django.template.loaders.locmem.Loader", loaded)]
    with override_settings(TEMPLATES=[{**engine, "APP_DIRS": False}]):
        yield


@pytest.mark.rows(20)
@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("number", range(len(SMALL)), ids=lambda number: SMALL[number][0][:40])
def test_a_template_says_on_a_device_what_it_says_at_the_house(page: Page, number: int) -> None:
    name, (_, values) = f"small {number}", SMALL[number]
    locales.use("it-IT", "r", 2)
    page.evaluate("locale => { window.offline.locale = locale; }", locale())

    @settings(max_examples=how_often(25), deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.fixed_dictionaries(values))
    def as_django(context: dict[str, Any]) -> None:
        context = as_json(context)
        assert page.evaluate(ANY, [name, context]) == render_to_string(name, context)

    as_django()


# fmt: off
REFUSED = [
    ("{{ x|linebreaks }}",                    "linebreaks"),
    ("{{ x|default:y.values }}",              "method"),
    ("{{ x|stringformat:'02d' }}",            "stringformat"),
    ("{{ x|slice:y }}",                       "slice"),
    ("{{ 1.5 }}",                             "whole numbers"),
    ("{% if x is y %}{% endif %}",            "None"),
    ("{% now 'Y' %}",                         "NowNode"),
    ("{% autoescape off %}{{ x }}{% endautoescape %}", "AutoEscapeControlNode"),
    ("{% cycle 'a' 'b' %}",                   "CycleNode"),
    ("{% spaceless %}{% endspaceless %}",     "SpacelessNode"),
    ("{% url 'floor-game' x %}",              "board.urls"),
    ("{% load static %}{% static x %}",       "static"),
    ("{% translate x %}",                     "plain words"),
    ("{% translate 'x' context 'y' %}",       "plain words"),
    ("{% load approvals %}{% waiting_approvals %}", "InclusionNode"),
    ("{% load dice %}{% die 5 %}",            "not pure"),
]
# fmt: on


@pytest.mark.parametrize(("source", "why"), REFUSED)
def test_what_is_not_known_is_refused_with_its_template_and_line(source: str, why: str) -> None:
    with (
        templates_of({"refused": f"\n\n{source}"}),
        pytest.raises(templates.NotCompiled, match=rf"refused, line 3: .*{why}"),
    ):
        templates.compile_templates(["refused"])


@pytest.mark.usefixtures("small")
def test_a_device_says_so_where_it_would_have_to_guess(page: Page) -> None:
    numbers = {source: f"small {number}" for number, (source, _) in enumerate(SMALL)}
    lists, money = numbers[SMALL[0][0]], numbers["{{ x|short_coins }}"]

    result = page.evaluate(ANY, [lists, {"x": [1, 2]}])
    unknown_money = page.evaluate(ANY, [money, {"x": "12"}])

    assert "whole numbers" in result["thrown"]
    assert "no number" in unknown_money["thrown"]
