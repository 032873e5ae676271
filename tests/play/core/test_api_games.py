"""Games through the API: opened, played, asked again, looked at, explained."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest

from casino.house.acts.game_streams.catalogue import RULESETS
from casino.house.attendants.models import Role
from games import transcripts
from ledger.models import CommandReceipt, Event, Transfer
from tests.support import builders
from tests.support.api_rounds import PLAYERS, a_round, body_of
from tests.support.builders import GAMES, command, opened, opening, put, settled, throw

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = pytest.mark.django_db


@pytest.fixture
def house() -> House:
    return builders.house()


# --- Opening --------------------------------------------------------------------------------------


@pytest.mark.long("postgresql")
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


@pytest.mark.long("postgresql")
def test_do_may_be_said_when_a_game_is_opened(house: House) -> None:
    assert opened(house, do="open")


@pytest.mark.long("postgresql")
def test_a_second_game_at_the_table_is_refused(house: House) -> None:
    opened(house)

    answer = house.client().post(GAMES, opening(house.table))

    assert (answer.status_code, body_of(answer)["code"]) == (422, "table_taken")


@pytest.mark.long("postgresql")
def test_a_withdrawn_dice_set_is_refused(house: House) -> None:
    dice = builders.dice_set(house.establishment, withdrawn=True)

    answer = house.client().post(GAMES, opening(house.table, dice_set=str(dice.pk)))

    assert (answer.status_code, body_of(answer)["code"]) == (422, "dice_unfit")


@pytest.mark.long("postgresql")
def test_a_table_out_of_use_is_refused(house: House) -> None:
    table = builders.table(house.establishment, in_use=False)

    answer = house.client().post(GAMES, opening(table))

    assert (answer.status_code, body_of(answer)["code"]) == (422, "table_not_in_use")


@pytest.mark.long("postgresql")
def test_a_refusal_speaks_of_people_by_their_names(house: House) -> None:
    answer = house.client().post(GAMES, opening(house.table, players=["Ada", "Ada"]))

    assert (answer.status_code, body_of(answer)["code"]) == (422, "double_name")
    assert "Ada" in body_of(answer)["detail"]
    assert "Ada" not in (CommandReceipt.objects.get().refusal_detail or "")


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


def undo(house: House, *, seconds: int) -> None:
    """Set for how long the last throw may be undone alone."""
    house.establishment.undo_seconds = seconds
    house.establishment.save()


@pytest.mark.long("postgresql")
def test_a_round_that_ended_is_undone_alone_as_long_as_the_house_lets(house: House) -> None:
    game = opened(house)
    put(house, game, *a_round())
    url = f"{GAMES}{game}/"
    before = house.client().get(url)
    [offer] = [each for each in body_of(before)["offers"] if each["do"] == "void"]
    undone = command("void", back_to=offer["undo"], reason="Misread.", alone=True)

    undo(house, seconds=0)
    after = house.client().get(url, headers={"If-None-Match": before["ETag"]})
    [gone] = [each for each in body_of(after)["offers"] if each["do"] == "void"]
    late = body_of(house.client().post(f"{url}commands/", {**undone, "command_id": str(uuid4())}))
    undo(house, seconds=600)
    put(house, game, undone)

    assert (offer["alone"], offer["undo"]) == ([4], 4)
    assert (gone["alone"], gone["undo"]) == ([], None)
    assert late["code"] == "undo_too_late"
    assert body_of(house.client().get(url))["stakes"] == {"Ada": 25, "Bruno": 25, "Cleo": 25}


@pytest.mark.long("postgresql")
def test_a_void_of_an_ended_round_waits_for_a_second_person(house: House) -> None:
    undo(house, seconds=0)
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


@pytest.mark.long("postgresql")
def test_an_event_may_be_named_by_the_command_that_brought_it(house: House) -> None:
    game = opened(house)
    ada, bruno, _ = a_round()
    put(house, game, ada, bruno)

    put(house, game, command("void", back_to=bruno["command_id"], reason="Not Bruno's dice."))

    assert body_of(house.client().get(f"{GAMES}{game}/"))["next"]["players"] == ["Bruno"]


@pytest.mark.long("postgresql")
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


@pytest.mark.long("postgresql")
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


@pytest.mark.long("postgresql")
def test_the_words_come_back_to_whoever_may_look(house: House) -> None:
    game = opened(house, players=list(NAMES))
    put(house, game, command("no_throw", player=NAMES[0], reason="off_table", note=NOTE))

    page = body_of(house.client(Role.AUDITOR).get(f"{GAMES}{game}/events/"))

    told = page["results"][1]["data"]
    assert (told["player"], told["note"]) == (NAMES[0], NOTE)
