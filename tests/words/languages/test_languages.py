"""The reader's language, the house's locale, and catalogues that leave nothing out."""

from __future__ import annotations

import re
from collections import defaultdict
from datetime import UTC, date, datetime, time
from functools import cache
from typing import TYPE_CHECKING

import pytest
from django.utils import translation
from django.utils.translation import trans_real
from hypothesis import given
from hypothesis import strategies as st

from casino.house.acts.game_streams.catalogue import RULESETS
from casino.house.attendants.models import Attendant, Role
from casino.words.languages import locales
from casino.words.languages.amounts import money
from casino.words.languages.catalogues import kept
from casino.words.languages.messages import translate
from casino.words.presenters import quoted
from games.transcripts import Play, carry_on
from ledger.models import CommandReceipt
from tests.games import expected_reports
from tests.support import builders

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rest_framework.test import APIClient

    from tests.support.builders import House

CHOOSE = "/sign-in/language/"
NO_BREAK = "\N{NO-BREAK SPACE}"
HOLES = re.compile(r"%\(\w+\)s|%%|<[^>]+>|\{[^}]*\}|##|\+\+")
RULES = re.compile(r"\b(?:SH|CG|RV|TA|DB|[A-H]|P)\d+b?\b")
ENGLISH = re.compile(r"\b(the|and|is|of|not|to|with|threw|pays|was|are|has|for|this|who|a)\b")
PROGRAMS = re.compile(r"^do: |: nothing happened at ")  # said by transcripts alone
ITALIAN_TOO = frozenset({"a"})


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    """What a request spoke does not go on to the next test of this process."""
    locales.use(locales.USUAL)
    with translation.override("en"):
        yield
    locales.use(locales.USUAL)


# --- The catalogues ------------------------------------------------------------------------------

COMMAND = "python -m casino.words.languages.catalogues brings it up to date"


@pytest.mark.long
def test_a_new_language_is_up_to_date_before_anything_of_it_is_translated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "ROOT", tmp_path)

    assert not kept.up_to_date("de")
    kept.brought_up_to_date("de")

    assert kept.up_to_date("de")
    assert len(kept.missing("de")) == kept.size("de")


@pytest.mark.long
def test_no_text_is_asked_for_with_its_plural_and_without() -> None:
    """A catalogue keeps one of them, and some Pythons find the other only in English."""
    plurals = defaultdict(set)
    for each in kept.everything():
        plurals[each.context, each.text].add(each.plural)
    assert [text for text, several in plurals.items() if len(several) > 1] == []


@pytest.mark.parametrize("language", kept.LANGUAGES)
class TestCatalogue:
    def test_it_says_what_the_source_says_and_is_compiled(self, language: str) -> None:
        assert kept.up_to_date(language), COMMAND

    def test_nothing_of_the_floor_is_untranslated(self, language: str) -> None:
        assert [str(each.id) for each in kept.missing_on_the_floor(language)] == []

    def test_holes_markup_and_rule_numbers_are_kept(self, language: str) -> None:
        for message in kept.read(language):
            if not message.id or not message.string:
                continue
            pairs = [(message.id, message.string)]
            if isinstance(message.id, tuple):
                pairs = list(zip(message.id, message.string, strict=True))
            for text, other in pairs:
                assert isinstance(text, str)
                assert isinstance(other, str)
                if other:
                    assert sorted(HOLES.findall(text)) == sorted(HOLES.findall(other)), text
                    assert sorted(RULES.findall(text)) == sorted(RULES.findall(other)), text


# --- Sentences of the rules ----------------------------------------------------------------------


@cache
def sentences() -> frozenset[str]:
    """Every refusal and every reason of all that was ever written down as a game."""
    catalogue, found = {each.id: each for each in RULESETS}, set()
    for path in sorted(expected_reports.TRANSCRIPTS.rglob("*.jsonl")):
        playing = Play(catalogue)
        carry_on(playing, enumerate(path.read_text(encoding="utf-8").split("\n"), start=1))
        found |= {each["detail"] for each in playing.refused}
        if playing.ruleset is not None:
            for each in playing.ruleset.explain(playing.history):
                found |= {each["because"], *(paid["because"] for paid in each["payments"])}
    return frozenset(each for each in found if each and not PROGRAMS.search(each))


def test_every_sentence_of_every_transcript_is_said_in_italian() -> None:
    assert len(sentences()) > 300
    with translation.override("it"):
        for sentence in sentences():
            italian = translate(sentence)

            assert italian != sentence
            assert set(ENGLISH.findall(italian)) <= ITALIAN_TOO, f"{sentence}\n{italian}"
            assert sorted(RULES.findall(italian)) == sorted(RULES.findall(sentence)), italian


# fmt: off
SAID = [
    # what the rules say                                           what an Italian house says
    ("Ada or Bo throws, not Cyd. SH2",                             "Tira Ada o Bo, non Cyd. SH2"),
    ("Nobody throws, not Cyd. SH2",                                "Tira Nessuno, non Cyd. SH2"),
    ("Throw: the table is paused; resume first.",
     "Tiro: il tavolo è in pausa; prima riprendi."),
    ("amount is 5: Ada has 3. G2",                                 "importo 5: Ada ha 3. G2"),
    (("Ada threw 2-2-7, a pair with score 7, the worst of the round (SH4)."
      " SH4: the loser pays the score, 7, into the pool."),
     ("Ada ha tirato 2-2-7, coppia, valore 7, il peggiore della mano (SH4)."
      " SH4: chi perde paga il valore, 7, nel monte.")),
    ("The pay began at 8; Ada lowered it to 7 (CG2), Bo raised it to 8 (CG5).",
     "La paga è partita da 8; Ada l'ha abbassata a 7 (CG2), Bo l'ha alzata a 8 (CG5)."),
    # What nobody ever says stays as it is.
    ("Seven dragons sleep.",                                       "Seven dragons sleep."),
]
# fmt: on


@pytest.mark.parametrize(("english", "italian"), SAID)
def test_a_sentence_is_found_again_and_said(english: str, italian: str) -> None:
    assert translate(english) == english
    with translation.override("it"):
        assert translate(english) == italian


NAMES = st.text("abcXYZ' -áß", min_size=1, max_size=12).map(str.strip).filter(bool)


@given(name=NAMES, other=NAMES)
def test_no_name_is_taken_for_words(name: str, other: str) -> None:
    with translation.override("it"):
        assert translate(f"player: {name} sits here already. G1") == (
            f"giocatore: {name} siede già qui. G1"
        )
        assert translate(f"{name} asked for this void; a second person approves it. G4") == (
            f"{name} ha chiesto questo annullamento; lo approva una seconda persona. G4"
        )
        assert translate(f"{name}'s ante for the game (DB11).") == (
            f"L'ante di {name} per la partita (DB11)."
        )
    del other


def test_the_rules_of_every_game_are_quoted_in_italian() -> None:
    """Number by number the same."""
    english = {ruleset.id: quoted.rules(ruleset.id) for ruleset in RULESETS}
    with translation.override("it"):
        for ruleset in RULESETS:
            rules = quoted.rules(ruleset.id)
            assert rules.keys() == english[ruleset.id].keys()
            assert not [number for number, text in rules.items()
                        if not set(ENGLISH.findall(text)) <= ITALIAN_TOO]  # fmt: skip
        assert quoted.in_short("stone-hand", "SH8").startswith("Chi perde tira per primo")


# --- Figures and dates ---------------------------------------------------------------------------

AT = datetime(2026, 11, 22, 20, 14, 9, tzinfo=UTC)
# fmt: off
WRITTEN = [
    # locale   1234567 coins    the day              in figures     the clock     in a row
    ("en-GB", "1,234,567",     "22 November 2026",  "22/11/2026",  "20:14",      "22 Nov 20:14"),
    ("it-IT", "1.234.567",     "22 novembre 2026",  "22/11/2026",  "20:14",      "22 nov 20:14"),
    ("en-US", "1,234,567",     "November 22, 2026", "11/22/2026",  "8:14 p.m.", "Nov 22 8:14 p.m."),
    ("de-DE", "1.234.567",     "22. November 2026", "22.11.2026",  "20:14",      "22. Nov 20:14"),
]
# fmt: on


@pytest.mark.parametrize(("locale", "coins", "day", "figures", "clock", "row"), WRITTEN)
def test_a_house_writes_figures_and_dates_its_own_way(  # noqa: PLR0913, PLR0917 - a row of the table
    locale: str, coins: str, day: str, figures: str, clock: str, row: str
) -> None:
    locales.use(locale, "r")
    with translation.override("it" if locale == "it-IT" else "en"):
        assert money(1234567) == f"{coins}{NO_BREAK}r"
        assert money(-1234567) == f"\N{MINUS SIGN}{coins}{NO_BREAK}r"
        assert locales.day(AT) == day
        assert locales.figures_of_day(date(2026, 11, 22)) == figures
        assert locales.clock(AT) == clock
        assert locales.short_moment(AT) == row
        assert locales.clock(time(20, 14)) == clock


@pytest.mark.parametrize(("locale", "label"), locales.LOCALES.items())
def test_a_locale_is_offered_as_it_writes(locale: str, label: str) -> None:
    locales.use(locale)

    written = re.sub(r"\s", " ", locales.number(1234))
    assert f" {written} " in label


@pytest.mark.parametrize(
    ("locale", "half", "many"),
    [("en-GB", "0.50", "1,234.57"), ("it-IT", "0,50", "1.234,57"), ("de-DE", "0,50", "1.234,57")],
)
def test_decimals_have_the_mark_of_the_house(locale: str, half: str, many: str) -> None:
    locales.use(locale)

    assert (locales.decimal(0.5, 2), locales.decimal(1234.567, 2)) == (half, many)


def test_the_order_is_the_house_s_and_the_words_are_the_reader_s() -> None:
    locales.use("it-IT")
    with translation.override("en"):
        assert (locales.weekday(AT), money(1234)) == ("Sun 22 November 2026", "1.234")


# --- Whose language ------------------------------------------------------------------------------


@pytest.fixture
def house() -> House:
    return builders.house()


def speaks(client: APIClient, browser: str = "", address: str = "/floor/") -> str:
    """The language that a page comes in, as it says itself."""
    answer = client.get(address, headers={"Accept-Language": browser} if browser else {})
    found = re.search(r'<html lang="(\w+)"', answer.content.decode())
    assert found
    assert answer.headers["Content-Language"] == found[1]
    return found[1]


# fmt: off
LANGUAGES = [
    # own   house   browser  reads
    ("it",  "en",   "en",    "it"),
    ("en",  "it",   "it",    "en"),
    ("",    "it",   "en",    "it"),
    ("",    "",     "it",    "it"),
    ("",    "",     "fr",    "en"),
    ("",    "",     "",      "en"),
]
# fmt: on


@pytest.mark.long("postgresql")
@pytest.mark.django_db
@pytest.mark.parametrize(("own", "of_house", "browser", "reads"), LANGUAGES)
def test_own_choice_then_the_house_then_the_browser(
    house: House, own: str, of_house: str, browser: str, reads: str
) -> None:
    Attendant.objects.filter(pk=house.attendant.pk).update(language=own)
    type(house.establishment).objects.filter(pk=house.id).update(language=of_house)

    assert speaks(builders.signed_in(house.attendant), browser) == reads


@pytest.mark.django_db
class TestChoosing:
    def test_one_tap_changes_it_and_goes_back(self, house: House) -> None:
        client = builders.signed_in(house.attendant)

        answer = client.post(CHOOSE, {"language": "it", "next": "/floor/"}, format="multipart")

        assert (answer.status_code, answer.headers["Location"]) == (302, "/floor/")
        assert speaks(client, "en") == "it"
        assert speaks(builders.signed_in(house.supervisor), "en") == "en"

    @pytest.mark.long("postgresql")
    @pytest.mark.parametrize("language", ["", "fr", "../it"])
    def test_there_is_no_other(self, house: House, language: str) -> None:
        client = builders.signed_in(house.attendant)

        answer = client.post(CHOOSE, {"language": language}, format="multipart")

        assert answer.status_code == 400
        assert speaks(client, "en") == "en"

    def test_chosen_at_sign_in_it_stays_with_the_person(self) -> None:
        house = builders.house()
        who = builders.employed(
            house.establishment, Role.ATTENDANT, builders.person("nora", password="opal-river-9")
        )
        client = builders.client()
        assert speaks(client, "en", "/sign-in/?language=it") == "it"

        sent = {"username": "nora", "password": "opal-river-9", "language": "it"}
        client.post("/sign-in/", sent, format="multipart")

        who.refresh_from_db()
        assert who.language == "it"

    def test_a_program_gets_what_it_asks_for(self, house: House) -> None:
        Attendant.objects.filter(pk=house.attendant.pk).update(language="it")
        game = builders.opened(house)
        wrong = builders.throw("Bruno", 2, 2, 7)

        def detail(**headers: str) -> str:
            answer = house.client().post(
                f"/api/v1/games/{game}/commands/", wrong, headers=headers or None
            )
            assert answer.status_code == 422, answer.content
            sentence: str = answer.json()["detail"]
            return sentence

        assert detail() == "Ada throws, not Bruno. SH2"
        assert detail(**{"Accept-Language": "it"}) == "Tira Ada, non Bruno. SH2"


@pytest.mark.long("postgresql")
@pytest.mark.django_db
class TestAtATable:
    def test_the_board_speaks_and_its_mark_knows(self, house: House) -> None:
        game = builders.opened(house)
        address = f"/floor/games/{game}/board/"
        client = builders.signed_in(house.attendant)
        english = client.get(address)
        assert "Ada to throw" in english.content.decode()
        again = {"If-None-Match": english.headers["ETag"]}
        assert client.get(address, headers=again).status_code == 304

        Attendant.objects.filter(pk=house.attendant.pk).update(language="it")

        italian = client.get(address, headers=again)
        assert italian.status_code == 200
        assert "Tira Ada" in italian.content.decode()

    def test_a_refusal_is_shown_in_italian_and_kept_in_english(self, house: House) -> None:
        game = builders.opened(house)
        Attendant.objects.filter(pk=house.attendant.pk).update(language="it")
        client = builders.signed_in(house.attendant)
        sent = builders.throw("Bruno", 2, 2, 7)

        answer = client.post(
            f"/floor/games/{game}/command/", sent, format="multipart", HTTP_HX_REQUEST="true"
        )

        assert "Tira Ada, non Bruno. SH2" in answer.content.decode()
        kept_as = CommandReceipt.objects.get(command_id=sent["command_id"])
        assert (kept_as.refusal_code, "throws, not" in (kept_as.refusal_detail or "")) == (
            "not_your_turn",
            True,
        )


# What is said to somebody as "Lei"; the house says "tu". Only at the beginning of an order:
# elsewhere it may be another word, as in "si guardi".
ORDERS = (
    "apra|aggiunga|aspetti|attenda|chieda|chiuda|compili|continui|dica|guardi|inserisca|"
    "metta|prema|prenda|respinga|riprovi|scelga|scriva|torni|vada|verifichi"
)
FORMAL = re.compile(
    rf"(?:^|[.:;,] |\b(?:non|prima|poi|lo|la|li|le|ne) )(?:{ORDERS})\b"
    r"|\b(?:nel|del)?la sua catena|\bnon le permette|\bne nomini\b|\bproposto lei\b",
    re.IGNORECASE,
)


def test_nobody_is_addressed_formally_in_italian() -> None:
    catalogue = trans_real.translation("it")._catalog  # type: ignore[attr-defined]
    said = [text for _english, text in catalogue.items() if isinstance(text, str)]
    assert [text for text in said if FORMAL.search(text)] == []
