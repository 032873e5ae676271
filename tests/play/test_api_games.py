"""Games through the API: opened, played, asked again, looked at, explained."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest

from casino.attendants.models import Role
from casino.game_streams.catalogue import RULESETS
from games import transcripts
from ledger.models import CommandReceipt, Event, Transfer
from tests.support import builders
from tests.support.builders import GAMES, command, opened, opening, put, settled, throw

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = pytest.mark.django_db
PLAYERS = ("Ada", "Bruno", "Cleo")
ROUND = ((2, 2, 3), (3, 3, 4), (1, 1, 5))  # SH3: of the three pairs Cleo's is the worst


@pytest.fixture
def house() -> House:
    return builders.house()


def a_round() -> list[dict[str, Any]]:
    return [throw(player, *dice) for player, dice in zip(PLAYERS, ROUND, strict=True)]


def body_of(answer: Any) -> dict[str, Any]:
    whole: dict[str, Any] = answer.json()
    return whole


# --- Opening --------------------------------------------------------------------------------------


def test_a_game_opens_at_its_table_with_its_stakes_in_the_ledger(house: House) -> None:
    body = opening(house.table, dice_set=str(house.dice_sets[1].pk))

    answer = house.client().post(GAMES, body, headers={"Home-Throw-Device": "tablet 4"})

    assert answer.status_code == 201
    game = body_of(answer)
    assert answer.headers["Location"].endswith(f"{GAMES}{game['id']}/")
    assert (game["command_id"], game["version"]) == (body["command_id"], 1)
    event = Event.objects.get(stream=f"game/{game['id']}")
    data = json.loads(bytes(event.body))["data"]
    assert (event.actor, event.device) == (str(house.attendant.pk), "tablet 4")
    assert (data["table"], data["dice_set"]) == (str(house.table.pk), str(house.dice_sets[1].pk))
    assert list(Transfer.objects.values_list("reason", "amount")) == [("buy_in", 25)] * 3


def test_do_may_be_said_when_a_game_is_opened(house: House) -> None:
    assert opened(house, do="open")


def test_a_second_game_at_the_table_is_refused(house: House) -> None:
    opened(house)

    answer = house.client().post(GAMES, opening(house.table))

    assert (answer.status_code, body_of(answer)["code"]) == (422, "table_taken")


def test_a_withdrawn_dice_set_is_refused(house: House) -> None:
    dice = builders.dice_set(house.establishment, withdrawn=True)

    answer = house.client().post(GAMES, opening(house.table, dice_set=str(dice.pk)))

    assert (answer.status_code, body_of(answer)["code"]) == (422, "dice_unfit")


def test_a_table_out_of_use_is_refused(house: House) -> None:
    table = builders.table(house.establishment, in_use=False)

    answer = house.client().post(GAMES, opening(table))

    assert (answer.status_code, body_of(answer)["code"]) == (422, "table_not_in_use")


def test_a_refusal_speaks_of_people_by_their_names(house: House) -> None:
    answer = house.client().post(GAMES, opening(house.table, players=["Ada", "Ada"]))

    assert (answer.status_code, body_of(answer)["code"]) == (422, "double_name")
    assert "Ada" in body_of(answer)["detail"]
    assert "Ada" not in (CommandReceipt.objects.get().refusal_detail or "")


# --- Asked again ----------------------------------------------------------------------------------


def test_the_same_opening_again_gets_the_same_bytes(house: House) -> None:
    body = opening(house.table)
    first = house.client().post(GAMES, body)
    put(house, body_of(first)["id"], *a_round())
    events = Event.objects.count()

    again = house.client().post(GAMES, body)

    assert (again.status_code, again.content) == (201, first.content)
    assert Event.objects.count() == events


def test_the_same_command_again_gets_the_same_bytes_whatever_came_between(house: House) -> None:
    game = opened(house)
    *before, last = a_round()
    put(house, game, *before)
    url = f"{GAMES}{game}/commands/"
    first = house.client().post(url, last)
    settled(house)
    put(house, game, throw("Cleo", 1, 1, 4))
    events = Event.objects.count()

    again = house.client().post(url, last)

    assert first.status_code == again.status_code == 200
    assert again.content == first.content
    assert body_of(first)["events"][0]["type"] == "stone_hand.dice_thrown"
    assert Event.objects.count() == events


def test_a_list_may_be_sent_again_as_a_whole(house: House) -> None:
    game = opened(house)
    url, commands = f"{GAMES}{game}/commands/", a_round()
    put(house, game, commands[0])

    first, again = (house.client().post(url, commands) for _ in range(2))

    assert body_of(first)["done"] == 3
    assert again.content == first.content


@pytest.mark.parametrize("changed", [{"dice": [1, 2, 4]}, {"occurred_at": "2026-01-01T20:00:00Z"}])
def test_a_command_id_used_for_something_else_is_a_conflict(
    house: House, changed: dict[str, Any]
) -> None:
    game, thrown = opened(house), throw("Ada", 2, 2, 7)
    put(house, game, thrown)

    answer = house.client().post(f"{GAMES}{game}/commands/", {**thrown, **changed})

    assert (answer.status_code, body_of(answer)["code"]) == (409, "command_reused")
    assert body_of(answer)["command_id"] == thrown["command_id"]


@pytest.mark.parametrize("changed", ["table", "dice_set", "players"])
def test_an_opening_under_the_same_id_with_another_body_is_a_conflict(
    house: House, changed: str
) -> None:
    other = {
        "table": str(house.tables[1].pk),
        "dice_set": str(house.dice_sets[1].pk),
        "players": ["Ada", "Bruno"],
    }
    body = opening(house.table)
    house.client().post(GAMES, body)

    answer = house.client().post(GAMES, {**body, changed: other[changed]})

    assert (answer.status_code, body_of(answer)["code"]) == (409, "command_reused")


def test_a_refused_command_stays_refused_until_it_is_asked_under_a_new_id(house: House) -> None:
    game, early = opened(house), throw("Bruno", 3, 3, 8)
    url = f"{GAMES}{game}/commands/"
    first = house.client().post(url, early)
    put(house, game, throw("Ada", 2, 2, 7))

    again = house.client().post(url, early)
    anew = house.client().post(url, {**early, "command_id": str(uuid4())})

    assert (first.status_code, body_of(first)["code"]) == (422, "not_your_turn")
    assert again.content == first.content
    assert anew.status_code == 200


# --- Lists ----------------------------------------------------------------------------------------


def test_a_list_is_carried_out_in_order(house: House) -> None:
    game = opened(house)

    results = put(house, game, *a_round())

    assert [result["version"] for result in results] == [2, 3, 5]
    assert [len(result["events"]) for result in results] == [1, 1, 2]


def test_a_list_stops_at_the_first_refusal_and_says_how_far_it_got(house: House) -> None:
    game = opened(house)
    ada, bruno, cleo = a_round()

    answer = house.client().post(f"{GAMES}{game}/commands/", [ada, cleo, bruno])

    body = body_of(answer)
    assert (answer.status_code, body["code"], body["done"]) == (422, "not_your_turn", 1)
    assert body["command_id"] == cleo["command_id"]
    assert [result["command_id"] for result in body["results"]] == [ada["command_id"]]
    assert Event.objects.filter(stream=f"game/{game}").count() == 2


def test_a_malformed_command_in_a_list_leaves_nothing_half_done(house: House) -> None:
    game = opened(house)
    ada, bruno, _ = a_round()

    answer = house.client().post(f"{GAMES}{game}/commands/", [ada, {**bruno, "dice": "3-3-8"}])

    assert (answer.status_code, body_of(answer)["code"]) == (400, "malformed")
    assert Event.objects.filter(stream=f"game/{game}").count() == 1


@pytest.mark.parametrize("length", [0, 501])
def test_a_list_holds_one_to_five_hundred_commands(house: House, length: int) -> None:
    game = opened(house)

    answer = house.client().post(
        f"{GAMES}{game}/commands/", [throw("Ada", 2, 2, 7) for _ in range(length)]
    )

    assert (answer.status_code, body_of(answer)["code"]) == (400, "malformed")


# --- Looking --------------------------------------------------------------------------------------


def test_a_game_shows_what_is_played_and_what_is_booked(house: House) -> None:
    game = opened(house)
    put(house, game, *a_round())
    played = body_of(house.client().get(f"{GAMES}{game}/"))
    settled(house)
    booked = body_of(house.client().get(f"{GAMES}{game}/"))

    assert played["stakes"] == {"Ada": 25, "Bruno": 25, "Cleo": 20}
    assert played["booked"] == {"Ada": 25, "Bruno": 25, "Cleo": 25}
    assert booked["booked"] == booked["stakes"] == played["stakes"]
    assert (played["settled_through"], booked["settled_through"]) == (-1, booked["position"])


def test_a_game_that_stands_still_answers_304(house: House) -> None:
    url = f"{GAMES}{opened(house)}/"
    tag = house.client().get(url).headers["ETag"]

    still = house.client().get(url, headers={"If-None-Match": tag})

    assert (still.status_code, still.content, still.headers["ETag"]) == (304, b"", tag)


@pytest.mark.parametrize("moved", ["played", "settled"])
def test_a_game_that_moved_answers_anew(house: House, moved: str) -> None:
    game = opened(house)
    url = f"{GAMES}{game}/"
    put(house, game, *a_round())
    tag = house.client().get(url).headers["ETag"]
    if moved == "settled":
        settled(house)
    else:
        put(house, game, throw("Cleo", 1, 1, 4))

    anew = house.client().get(url, headers={"If-None-Match": tag})

    assert anew.status_code == 200
    assert anew.headers["ETag"] != tag


def test_events_come_a_page_at_a_time_each_once(house: House) -> None:
    game = opened(house)
    put(house, game, *a_round())

    numbers, url = [], f"{GAMES}{game}/events/?limit=2"
    while url:
        page = body_of(house.client().get(url))
        numbers += [event["number"] for event in page["results"]]
        url = page["next"]

    assert numbers == [1, 2, 3, 4, 5]
    assert body_of(house.client().get(page["previous"]))["results"][0]["number"] == 3


def test_an_event_shows_names_where_the_ledger_has_tokens(house: House) -> None:
    game = opened(house)
    put(house, game, throw("Ada", 2, 2, 7))

    page = body_of(house.client().get(f"{GAMES}{game}/events/?after=1"))

    [thrown] = page["results"]
    assert (thrown["type"], thrown["data"]["player"]) == ("stone_hand.dice_thrown", "Ada")


def test_a_round_explains_itself_once_it_has_ended(house: House) -> None:
    game = opened(house)
    put(house, game, *a_round())

    body = body_of(house.client().get(f"{GAMES}{game}/explain/1/"))
    running = house.client().get(f"{GAMES}{game}/explain/2/")

    [payment] = body["payments"]
    assert (payment["from"], payment["to"], payment["amount"]) == ("Cleo", "pot", 5)
    assert {row["player"] for row in payment["throws"]} == set(PLAYERS)
    assert running.status_code == 404


def test_the_list_of_games_has_the_newest_first_and_turns_pages_both_ways() -> None:
    house = builders.house(tables=5, dice_sets=5)
    for table in house.tables:
        assert house.client().post(GAMES, opening(table)).status_code == 201
    settled(house)

    first = body_of(house.client().get(f"{GAMES}?limit=2"))
    second = body_of(house.client().get(first["next"]))
    third = body_of(house.client().get(second["next"]))

    found = [card["table"] for page in (first, second, third) for card in page["results"]]
    assert found == [str(table.pk) for table in reversed(house.tables)]
    assert third["next"] is None
    assert body_of(house.client().get(second["previous"]))["results"] == first["results"]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("status=open", 1),
        ("status=closed", 1),
        ("gaming_day=1999-12-31", 0),
        ("table={other}", 1),
        ("establishment={house}", 2),
        ("establishment={nobody}", 0),
    ],
)
def test_the_list_of_games_is_filtered(house: House, query: str, found: int) -> None:
    put(house, opened(house), command("close"))
    house.client().post(GAMES, opening(house.tables[1]))
    settled(house)

    names = {"house": house.id, "other": house.tables[1].pk, "nobody": uuid4()}
    page = body_of(house.client().get(f"{GAMES}?{query.format(**names)}"))

    assert len(page["results"]) == found


# --- A whole game ---------------------------------------------------------------------------------


def test_a_whole_game_ends_as_the_rules_alone_say(house: House) -> None:
    begun = opening(house.table, players=list(PLAYERS), stake=12)
    answer = house.client().post(GAMES, begun)
    url = f"{GAMES}{body_of(answer)['id']}/"
    line = {name: value for name, value in begun.items() if name != "table"}
    lines, cup = [json.dumps({"do": "open", **line})], random.Random(7)  # noqa: S311 - dice of a test
    state = body_of(house.client().get(url))
    while state["status"] == "open":
        thrown = throw(state["next"]["players"][0], *(cup.randint(1, 8) for _ in range(3)))
        lines.append(json.dumps(thrown))
        assert house.client().post(f"{url}commands/", thrown).status_code == 200
        state = body_of(house.client().get(url))
    settled(house)

    report = transcripts.play(
        enumerate(lines, 1), {ruleset.id: ruleset for ruleset in RULESETS}
    ).report

    ended = body_of(house.client().get(url))
    assert ended["booked"] == ended["stakes"]
    for name in set(transcripts.REPORT) - {"throws", "rounds", "refused"}:
        assert ended[name] == report[name], name
    assert without(ended["rounds"], "url") == report["rounds"]
    assert ended["rounds"][0]["url"] == f"http://testserver/floor/games/{ended['id']}/rounds/1/"
    assert without(ended["throws"], "event") == without(report["throws"], "line")
    assert sum(ended["stakes"].values()) == 36


def without(rows: list[dict[str, Any]], name: str) -> list[dict[str, Any]]:
    return [{key: value for key, value in row.items() if key != name} for row in rows]


def test_a_void_of_an_ended_round_waits_for_a_second_person(house: House) -> None:
    game = opened(house)
    put(house, game, *a_round())
    url = f"{GAMES}{game}/"
    put(house, game, command("void", back_to=4, reason="Cleo's dice were cocked."))
    [body] = body_of(house.client().get(url))["requests"]
    approval = command("approve", request=body["request"])

    alone = house.client().post(f"{url}commands/", approval)
    together = house.client(Role.SUPERVISOR).post(f"{url}commands/", approval)

    assert (alone.status_code, together.status_code) == (403, 200)
    state = body_of(house.client().get(url))
    assert state["stakes"] == {"Ada": 25, "Bruno": 25, "Cleo": 25}
    assert state["throws"][-1]["void"] is True


def test_an_event_may_be_named_by_the_command_that_brought_it(house: House) -> None:
    game = opened(house)
    ada, bruno, _ = a_round()
    put(house, game, ada, bruno)

    put(house, game, command("void", back_to=bruno["command_id"], reason="Not Bruno's dice."))

    assert body_of(house.client().get(f"{GAMES}{game}/"))["next"]["players"] == ["Bruno"]


def test_cash_leaves_only_when_it_is_booked(house: House) -> None:
    game = opened(house)
    put(house, game, *a_round(), command("close"))
    url, asked = f"{GAMES}{game}/commands/", command("cash_out", player="Ada", amount=25)

    early = house.client().post(url, asked)
    settled(house)
    late = house.client().post(url, {**asked, "command_id": str(uuid4())})

    assert (early.status_code, body_of(early)["code"]) == (422, "not_settled_yet")
    assert late.status_code == 200
    assert Transfer.objects.get(reason="cash_out").amount == 25


# --- What the ledger does not know ----------------------------------------------------------------

NAMES = ("Zacharias Quillfeather", "Wilhelmina Oddly")
NOTE = "the die rolled under the samovar"


def test_no_name_and_no_word_of_ones_own_stands_in_the_ledger(house: House) -> None:
    zacharias, wilhelmina = NAMES
    game = opened(house, players=list(NAMES))
    put(
        house, game,
        command("no_throw", player=zacharias, reason="off_table", note=NOTE),
        throw(zacharias, 2, 2, 7),
        command("void", back_to=3, reason=NOTE),
    )  # fmt: skip
    refusals = [
        throw(wilhelmina, 1, 2, 4),
        throw("Wilhelmina Odd", 1, 2, 4),
        throw(wilhelmina, 1, 2, 9),
        command("void", back_to=99, reason=NOTE),
        command("close", reason=NOTE * 100),
    ]
    for refused in refusals:
        assert house.client().post(f"{GAMES}{game}/commands/", refused).status_code == 422
    settled(house)

    kept = [bytes(body).decode() for body in Event.objects.values_list("body", flat=True)]
    kept += [
        f"{code} {said}"
        for code, said in CommandReceipt.objects.values_list("refusal_code", "refusal_detail")
    ]
    spoken = [word for word in (*NAMES, "Quillfeather", "Wilhelmina", "samovar") if word]
    assert [word for word in spoken for text in kept if word in text] == []


def test_the_words_come_back_to_whoever_may_look(house: House) -> None:
    game = opened(house, players=list(NAMES))
    put(house, game, command("no_throw", player=NAMES[0], reason="off_table", note=NOTE))

    page = body_of(house.client(Role.AUDITOR).get(f"{GAMES}{game}/events/"))

    told = page["results"][1]["data"]
    assert (told["player"], told["note"]) == (NAMES[0], NOTE)
