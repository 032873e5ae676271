"""The look: readable by contrast, one set of values, nothing a strict policy would block."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.utils import translation

ROOT = Path(__file__).resolve().parents[3]
OF_GAMES = sorted((ROOT / "casino/words/presenters").glob("*/*/presenters"))  # templates, static
TEMPLATES = sorted(
    path for folder in (ROOT / "templates", *OF_GAMES) for path in folder.rglob("*.html")
)
TOKENS = (ROOT / "casino/static/css/tokens.css").read_text()


def block(selector: str) -> dict[str, str]:
    body = TOKENS.split(f"{selector} {{", 1)[1].split("}", 1)[0]
    return dict(re.findall(r"--([\w-]+):\s*(#[0-9a-f]{6});", body))


DAY = block(":root")
NIGHT = DAY | block(':root[data-theme="dark"]')
NIGHT_BY_SYSTEM = DAY | block(':root[data-theme="auto"]')


def luminance(colour: str) -> float:
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


TEXT = ("ink", "ink-soft", "accent", "money", "brick", "slate")
GROUNDS = ("paper", "raised", "sunken")
WASHES = (("brick", "brick-wash"), ("slate", "slate-wash"), ("accent", "accent-wash"))


@pytest.mark.parametrize("theme", [DAY, NIGHT], ids=["day", "night"])
def test_words_stand_out_from_every_ground(theme: dict[str, str]) -> None:
    pairs = [(text, ground) for text in TEXT for ground in GROUNDS]
    pairs += [*WASHES, *(("ink", wash) for _, wash in WASHES), ("accent-ink", "accent")]

    weak = {pair for pair in pairs if contrast(theme[pair[0]], theme[pair[1]]) < 4.5}

    assert not weak


@pytest.mark.parametrize("sides", [4, 6, 8, 10, 12])
def test_the_faces_on_keys_stand_out_at_arm_s_length(sides: int) -> None:
    assert contrast(DAY["die-ink"], DAY[f"d{sides}-face"]) >= 7


@pytest.mark.parametrize("owner", range(1, 9))
def test_faces_of_players_own_dice_stand_out_as_well(owner: int) -> None:
    assert contrast(DAY["die-ink"], DAY[f"own-{owner}-face"]) >= 7


@pytest.mark.parametrize("theme", [DAY, NIGHT], ids=["day", "night"])
def test_a_control_s_edge_can_be_seen(theme: dict[str, str]) -> None:
    assert min(contrast(theme["rule-strong"], theme[ground]) for ground in GROUNDS[:2]) >= 3


def test_night_is_the_same_whether_chosen_or_asked_for_by_the_system() -> None:
    assert NIGHT == NIGHT_BY_SYSTEM


@pytest.mark.parametrize("page", TEMPLATES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_page_needs_what_the_content_policy_forbids(page: Path) -> None:
    text = page.read_text()

    assert not re.search(
        r"\sstyle=|<style|\son\w+=|hx-on|javascript:|https?://(?!www\.w3\.org)", text
    )
    assert not re.search(r"<script(?![^>]*\ssrc=)", text)


STYLES = sorted(
    path for folder in (ROOT / "casino/static/css", *OF_GAMES) for path in folder.rglob("*.css")
)


@pytest.mark.parametrize("styles", STYLES, ids=lambda path: path.stem)
def test_no_rule_hangs_on_all_that_a_page_holds(styles: Path) -> None:
    """Of ``body:has(…)`` a browser styles the whole page anew whenever anything in it changes."""
    found = re.findall(r"(?<![\w.-])(?:body|html|:root|#board)[^\s,{}]*:has\(", styles.read_text())

    assert not found


WORDS = re.compile(
    r'{%\s*translate "([^"]*)".*?%}'
    r"|{%\s*blocktranslate.*?%}(.*?){%\s*(?:plural|endblocktranslate).*?%}",
    re.DOTALL,
)
LONG = 34  # letters that a phone has room for
# What styles let go on below; a table scrolls, and a fragment stands in what includes it.
GOES_ON = {"p", "dd", "form", "td", ""}


class Signs(HTMLParser):
    """Signs of a template with more words than a phone has room for, with what each stands in."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.within: list[tuple[str, list[str]]] = []
        self.found: list[tuple[str, str]] = []
        words = WORDS.sub(lambda each: f"<q>{longest(each[1] or each[2])}</q>", page)
        self.feed(re.sub(r"{%.*?%}|{{.*?}}|{#.*?#}", "", words, flags=re.DOTALL))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in {"br", "hr", "img", "input", "link", "meta"}:
            self.within.append((tag, (dict(attrs).get("class") or "").split()))

    def handle_endtag(self, tag: str) -> None:
        while self.within and self.within.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if len(data) <= LONG or [tag for tag, _ in self.within[-1:]] != ["q"]:
            return
        open_: list[tuple[str, list[str]]] = [("", []), ("", []), *self.within]
        around, classes = open_[:-2], open_[-2][1]
        if "sign" in classes and "looks-like" not in classes:
            stands_in = [tag for tag, _ in around if tag != "a"][-1]
            steps = any("day-steps" in each for _, each in around)
            self.found.append(("" if steps else stands_in, data))


def longest(words: str) -> str:
    """In either language, with eight letters for what stands in a hole."""
    named = re.sub(r"{{\s*(\w+)\s*}}", r"%(\1)s", words)
    with translation.override("it"):
        italian = translation.gettext(named)
    return max((re.sub(r"%\(\w+\)s", "12345678", each) for each in (named, italian)), key=len)


@pytest.mark.parametrize("page", TEMPLATES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_long_sign_goes_on_below_on_a_phone(page: Path) -> None:
    assert [each for each in Signs(page.read_text()).found if each[0] not in GOES_ON] == []


def test_signs_among_words_go_on_below() -> None:
    base = (ROOT / "casino/static/css/base.css").read_text()

    assert ":is(p, dd, dd a, form, .day-steps li) > .sign { white-space: normal; }" in base
