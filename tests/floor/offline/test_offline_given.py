"""What a device is given to go on alone: enough for the board that it draws, and no more (0041)."""

from __future__ import annotations

import gzip
import json
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from casino.floor.tables.board import drawing
from casino.floor.tables.board.boards import Seen, board
from casino.floor.tables.offline import device_data, foresee
from casino.house.acts.game_streams.catalogue import RULESETS
from casino.play.settlement import settled as settlement
from casino.words.languages import locales
from casino.words.presenters import PRESENTERS
from tests.forms import LONG_FORM
from tests.support import builders
from tests.support.playing import (
    PAIR_4,
    PAIR_7,
    ask,
    done,
    game_of,
    opened,
    round_played,
    settled,
    thrown,
)
from tests.support.random_player import RandomPlayer

if TYPE_CHECKING:
    import uuid

    from pytest_django import DjangoAssertNumQueries

    from casino.house.attendants.models import Attendant
    from tests.support.builders import House

pytestmark = [pytest.mark.django_db, pytest.mark.long("postgresql")]
GAMES = {ruleset.id: ruleset for ruleset in RULESETS}
QUERIES = 24  # whatever the game's length, as sessions and sign-in included
LONG = 500  # events
PACKED = 30_000  # bytes of a long game: all that a device needs of it but the rules


@pytest.fixture
def house() -> House:
    made = builders.house(tables=3, dice_sets=0)
    builders.dice_for_every_game(made.establishment, sets=3)
    return made


def seen(at: House, game: uuid.UUID, who: Attendant | None = None) -> Seen:
    loaded = game_of(at, game)
    return Seen(
        loaded=loaded,
        house=at.establishment,
        person=str((who or at.attendant).pk),
        role="attendant",
        through=settlement.last_event_handled(loaded),
    )


def fetched(at: House, game: uuid.UUID, after: int | None = None, **more: Any) -> Any:
    client = Client()
    client.force_login(at.attendant)
    address = reverse("floor-offline", args=[game])
    return client.get(address if after is None else f"{address}?after={after}", headers=more)


def drawn(document: dict[str, Any]) -> dict[str, Any]:
    """The board as a device draws it, from nothing but what it was given."""
    ruleset, events = GAMES[document["ruleset"]], document["events"]
    facts = tuple(ruleset.decode(each["type"], each["data"]) for each in events)
    clocks = [each["clock"] for each in events]
    presenter = PRESENTERS[ruleset.id]
    game = drawing.play_facts(ruleset, presenter, facts, lambda number: clocks[number - 1])
    return drawing.draw_board(game, document["given"])


def comparable(board: dict[str, Any]) -> Any:
    """A board as JSON; an id that is new for each is left out."""
    return json.loads(json.dumps({**board, "command_id": ""}, default=str))


@pytest.mark.rows(3)
@pytest.mark.parametrize("kind", GAMES)
def test_the_device_s_board_is_the_house_s(house: House, kind: str) -> None:
    croupier = RandomPlayer(house, Random(kind), games=[kind])  # noqa: S311 - dice of a test
    for _ in range(60 if LONG_FORM else 25):
        croupier.does_something()
    settled(house)

    for game in croupier.games:
        at = seen(house, game)
        document = json.loads(json.dumps(device_data.game_as_json(at)))
        mine = drawn(document)
        assert comparable(mine) == comparable(board(at))
        assert "p-" not in json.dumps({**mine, "etag": ""}, default=str)


IN_PIECES = [
    ("buy_in", {"player": "Ada", "amount": 1000}, ""),
    ("buy_in", {"player": "Ada", "amount": 1050}, "not_in_pieces"),
    ("join", {"player": "Cyd", "stake": 2050}, "not_in_pieces"),
    ("cash_out", {"player": "Bo", "amount": 1050}, "not_in_pieces"),
    ("cash_out", {"player": "Bo", "amount": 2000}, ""),
]


@pytest.mark.parametrize(("do", "fields", "code"), IN_PIECES)
def test_a_device_refuses_what_no_pieces_make_as_the_house_does(
    do: str, fields: dict[str, Any], code: str
) -> None:
    """G11: what is brought to a table whose line is down is refused there, and not afterwards."""
    euros = [{"value": 100 * euro, "name": ""} for euro in (1, 2, 5)]
    house = builders.house(denominations=euros, coin_digits=2)
    game = opened(house, game="cinnabar-gate", players=["Ada", "Bo", "Dot"], stake=2000)
    done(house, game, "leave", player="Bo")
    settled(house)
    document = json.loads(json.dumps(device_data.game_as_json(seen(house, game))))
    known = foresee.update_known(
        None, document, GAMES[document["ruleset"]], PRESENTERS["cinnabar-gate"]
    )
    form = foresee.Form(tuple((name, str(each)) for name, each in {"do": do, **fields}.items()))

    foreseen = foresee.put(known, foresee.Entry(form, "2026-11-22T20:14:03Z", "21:14"))
    answer = ask(house, game, do, **fields)

    assert foreseen.code == code, foreseen.sentence
    assert (answer.refusal.code if answer.refusal else "") == code
    assert not code or foreseen.sentence == answer.refusal.detail  # type: ignore[union-attr]


def test_names_and_texts_are_of_this_game_alone(house: House) -> None:
    """P1: a device holds no more of people than its table needs."""
    game = opened(house, game="cinnabar-gate")
    opened(house, table=house.tables[1], players=["Cleo", "Dante"])
    round_played(house, game)
    done(house, game, "join", player="Zoe", stake=20)
    done(house, game, "pause", note="Zoe's phone rings")

    document = fetched(house, game).json()["given"]

    assert sorted(document["names"].values()) == ["Ada", "Bo", "Zoe"]
    assert list(document["texts"].values()) == ["Zoe's phone rings"]
    assert str(house.attendant.pk) in document["people"]


def test_who_joined_and_was_taken_back_keeps_a_name_in_the_log(house: House) -> None:
    """G4: what was voided still stands in the log."""
    game = opened(house, game="cinnabar-gate")
    joined = done(house, game, "join", player="Zoe", stake=20)[0]
    void = done(house, game, "void", back_to=joined.stream_version, reason="sat down elsewhere")
    if void[0].event_type == "game.void_requested":
        done(house, game, "approve", request=void[0].stream_version, by=house.supervisor)

    document = fetched(house, game).json()
    (line,) = [each for each in drawn(document)["log"] if each["kind"] == "join"]

    assert line["void"]
    assert "Zoe" in line["sentence"]


def test_only_what_is_new_is_sent_again(house: House) -> None:
    game = opened(house)
    whole = fetched(house, game).json()
    thrown(house, game, "Ada", PAIR_7)

    news = fetched(house, game, after=whole["version"]).json()

    assert [each["number"] for each in news["events"]] == [whole["version"] + 1]
    assert news["events"][0]["type"] == "stone_hand.dice_thrown"
    assert "words" not in news
    assert "locale" not in news
    together = {**whole, **news, "events": [*whole["events"], *news["events"]]}
    assert comparable(drawn(together)) == comparable(board_of(house, game, news))


def board_of(house: House, game: uuid.UUID, document: dict[str, Any]) -> dict[str, Any]:
    """The house's own board, as it stood when the device was told."""
    return {**board(seen(house, game)), "etag": document["given"]["etag"]}


@pytest.mark.parametrize("after", ["x", "-1", "", "99999999999999999999"])
def test_any_after_is_answered(house: House, after: str) -> None:
    game = opened(house)
    client = Client()
    client.force_login(house.attendant)

    answer = client.get(f"{reverse('floor-offline', args=[game])}?after={after}")

    assert answer.status_code == 200


def test_nothing_new_costs_no_body(house: House) -> None:
    game = opened(house)
    first = fetched(house, game)
    again = fetched(house, game, **{"if-none-match": first["ETag"]})
    later = fetched(house, game, after=1, **{"if-none-match": first["ETag"]})
    thrown(house, game, "Ada", PAIR_4)
    moved = fetched(house, game, **{"if-none-match": first["ETag"]})

    assert (again.status_code, later.status_code, moved.status_code) == (304, 200, 200)
    assert again.content == b""


def test_what_is_pinned_beside_a_game_stays_at_the_house(house: House) -> None:
    game = opened(house)

    (opening, *_) = fetched(house, game).json()["events"]

    assert not {"place", "house_rules", "large_prize"} & opening["data"].keys()
    assert opening["data"]["table"] == str(house.table.pk)


def test_nobody_else_is_given_anything(house: House) -> None:
    """D1: what may be seen of a game is seen by who works at its house."""
    game = opened(house)
    address = reverse("floor-offline", args=[game])
    stranger = Client()
    stranger.force_login(builders.house().attendant)

    assert Client().get(address).status_code == 401
    assert stranger.get(address).status_code == 404
    assert stranger.post(address).status_code == 405


@pytest.mark.parametrize("language", [pytest.param("en", marks=pytest.mark.long), "it"])
def test_a_long_game_is_small_and_asks_no_more_of_the_database(
    house: House, language: str, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    game = builders.opened(house, stake=5000)
    dice = {"Ada": (2, 2, 7), "Bruno": (3, 4, 5), "Cleo": (5, 6, 7)}
    rounds = LONG // 4  # three throws each, and who lost
    builders.put(
        house, game, *(builders.throw(name, *dice[name]) for _ in range(rounds) for name in dice)
    )
    house.attendant.language = language
    house.attendant.save()
    client = Client()
    client.force_login(house.attendant)

    with django_assert_max_num_queries(QUERIES):
        answer = client.get(reverse("floor-offline", args=[game]))

    document = answer.json()
    assert len(document["events"]) == 4 * rounds + 1
    assert document["words"]["language"] == language
    assert len(gzip.compress(answer.content, 6)) <= PACKED


# --- Words --------------------------------------------------------------------------------------


def test_of_the_catalogue_a_game_gets_what_its_board_may_say() -> None:
    texts = {each.one for each in device_data.messages("stone-hand")}

    assert "%(name)s to throw" in texts  # of its presenter
    assert "%(name)s leaves" in texts
    assert "What happened" in texts  # of a template
    assert "Undo" in texts
    assert "a throw that makes no hand\4empty" in texts  # with a context
    assert "Nobody bids for the %(die)s: withdraw it" not in texts  # River's
    assert ("%(drinks)s drink", "%(drinks)s drinks") in device_data.messages("stone-hand")


def test_english_needs_no_words() -> None:
    with translation.override("en"):
        assert device_data.words("river") == {"language": "en", "messages": {}, "sentences": {}}


def test_english_sentences_are_patterns_where_amounts_are_written_with_decimals() -> None:
    """The rules count in the smallest coin, and their amounts stand in their sentences."""
    locales.use("en-GB", "€", 2, code="EUR")
    with translation.override("en"):
        sentences = device_data.words("river")["sentences"]
    locales.use(locales.USUAL)

    assert sentences
    assert all(english == spoken for english, spoken in sentences.items())


def test_of_the_rules_a_game_gets_what_it_may_say_itself() -> None:
    with translation.override("it"):
        river, stone = (device_data.words(kind)["sentences"] for kind in ("river", "stone-hand"))

    assert any("SH2" in each for each in stone)
    assert not any("SH2" in each for each in river)
    assert {"player", "amount", "Throw", "and"} <= river.keys() & stone.keys()


@pytest.mark.parametrize("kind", GAMES)
def test_in_another_language_every_text_has_its_forms(kind: str) -> None:
    with translation.override("it"):
        words = device_data.words(kind)

    messages_by_text = words["messages"]
    assert words["language"] == "it"
    assert messages_by_text["What happened"] not in {"", "What happened"}
    counted = [forms for text, forms in messages_by_text.items() if "\1" in text]
    assert counted
    assert {len(forms) for forms in counted} == {2}
    assert all(isinstance(text, str) for name, text in messages_by_text.items() if "\1" not in name)
