"""What-ifs of a house: kept, stopped, on pages; and the books are as they were."""

from __future__ import annotations

import json
import uuid
from dataclasses import replace
from datetime import timedelta
from http import HTTPStatus
from io import StringIO
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.urls import reverse

from casino.house.attendants.models import Role
from casino.house.attendants.permissions import NotYours
from casino.kit.web.jobs import running, tasks
from casino.kit.web.jobs.models import Job, State
from casino.proof.disputes.regrade import reading
from casino.proof.disputes.regrade.reading import Period
from casino.reports.what_if import changes, runs
from casino.reports.what_if.changes import Change
from casino.reports.what_if.models import WhatIf, WhatIfGame
from casino.reports.what_if.runs import Left, Query, Rollovers, Sums
from ledger import journal
from tests.forms import LONG_FORM
from tests.support import builders, module_data
from tests.support.playing import NOW, done, opened, round_played, settled, thrown, token
from tests.support.random_player import GAMES, RandomPlayer

if TYPE_CHECKING:
    from tests.support.builders import House

pytestmark = pytest.mark.django_db
RAKE = changes.parse(fee="kind=seat,amount=1")
HOMES = [{"name": "Ada", "home_throw": [1, 3, 6]}, {"name": "Bo"}, {"name": "Cy"}]


def replayed(house: House, change: Change, period: Period | None = None) -> tuple[Sums, list[Any]]:
    wanted = period or Period()
    query = Query(
        establishment=house.id, period=wanted, stretch=reading.stretch(house.id, wanted),
        change=change,
    )  # fmt: skip
    sums, results = Sums(), []
    for _, games in runs.whole(query):
        for each in games:
            sums.add(each)
            results.append(each)
    return sums, results


def begun(house: House, change: Change = RAKE, **more: Any) -> WhatIf:
    wanted = {"by": house.auditor, "period": Period(), "now": NOW, **more}
    return runs.ask(house=house.establishment, change=change, **wanted)


def finished(run: WhatIf) -> WhatIf:
    while running.advance(runs.WHAT_IF, run.establishment_id, run.id, seconds=60):
        pass
    return WhatIf.objects.get(establishment=run.establishment_id, id=run.id)


def stopped(house: House, run: WhatIf) -> bool:
    return running.stop(
        runs.WHAT_IF, by=house.manager, house=house.establishment, job=run.id, now=NOW
    )


def two_rounds() -> House:
    house = builders.house()
    game = opened(house, stake=60)
    round_played(house, game)
    round_played(house, game)
    settled(house)
    return house


played = module_data.shared(two_rounds)
house = module_data.house_of_its_own


def signed_in(house: House, role: Role) -> Client:
    client = Client()
    client.force_login(house.people[role])
    return client


def everything() -> dict[str, list[Any]]:
    """Every row of every table but those of what-ifs."""
    own = {Job._meta.db_table, WhatIfGame._meta.db_table}
    found = {}
    with connection.cursor() as cursor:
        for table in sorted(set(connection.introspection.table_names(cursor)) - own):
            cursor.execute(f'SELECT * FROM "{table}"')  # noqa: S608 - names of our own
            found[table] = sorted(map(repr, cursor.fetchall()))
    return found


@pytest.mark.long("postgresql")
def test_with_nothing_changed_a_house_comes_out_as_it_did() -> None:
    made = builders.house(tables=5)
    builders.dice_for_every_game(made.establishment, sets=5)
    croupiers = [
        RandomPlayer(replace(made, tables=[table]), Random(8), [game])  # noqa: S311 - of a test
        for table, game in zip(made.tables, GAMES, strict=True)
    ]
    for _ in range(30 if LONG_FORM else 15):
        for croupier in croupiers:
            croupier.does_something()
    settled(made)

    sums, results = replayed(made, Change())

    assert sums.games == sum(len(croupier.games) for croupier in croupiers)
    assert {each.ruleset for each in results} == set(GAMES)
    assert (sums.changed, sums.differing, sums.undecided) == (0, 0, 0)
    assert sums.whole_was == sums.whole_now


def test_nothing_of_a_house_changes(house: House) -> None:
    run = begun(house)
    before, head = everything(), journal.head(establishment=house.id)

    finished(run)
    call_command("whatif", "--fee=none", f"--house={house.id}", stdout=StringIO())

    assert journal.head(establishment=house.id) == head
    assert everything() == before


def test_a_run_says_side_by_side_what_was_and_what_would_have_been(house: House) -> None:
    """Two rounds of two players at 1 coin each: 4 coins of fees."""
    run = finished(begun(house))

    sums = Sums.from_json(run.figures)
    [row] = WhatIfGame.objects.filter(establishment=house.id, job=run.id)
    assert run.state == State.DONE
    assert (sums.games, sums.differing, sums.undecided) == (1, 1, 0)
    assert (sums.whole_was.fees, sums.whole_now.fees) == (0, 4)
    assert (row.details["was"]["fees"], row.details["now"]["fees"]) == (0, 4)


def test_only_the_games_that_opened_in_the_period_and_of_the_kind_count(house: House) -> None:
    later = NOW + timedelta(days=2)
    opened(house, table=house.tables[1], now=later)

    day = later.date()
    assert replayed(house, RAKE)[0].games == 2
    assert replayed(house, RAKE, Period(day, None))[0].games == 1
    assert replayed(house, RAKE, Period(None, day - timedelta(days=1)))[0].games == 1
    assert replayed(house, changes.parse(game="river", fee="none"))[0].games == 0


def test_a_players_own_home_throw_is_theirs_alone() -> None:
    """SH7: Bo's is another; neither fell, so all is as it was. A stranger's concerns nobody."""
    made = builders.house()
    game = opened(made, stake=60, players=HOMES, options={"homes": "players"})
    round_played(made, game, ("Ada", (2, 2, 7)), ("Bo", (2, 2, 4)), ("Cy", (3, 4, 5)))
    who = token(made, game, "Bo")

    sums, [result] = replayed(made, changes.parse(player_homes={who: "1-3-8"}))
    nobody, _ = replayed(made, changes.parse(player_homes={"p-aaaaaaaaaaaa": "1-3-8"}))

    assert (sums.changed, sums.undecided) == (1, 0)
    assert result.replayed.was == result.replayed.now
    assert nobody.changed == 0


def threes(made: House, *dice: tuple[int, ...]) -> uuid.UUID:
    """A game of two in whose first round only a total of 0 wins (TA7), and what they throw."""
    options = {"ante": 2, "progressive": "by_round"}
    game = opened(made, game="threes-away", stake=9, options=options)
    for player, faces in zip(("Ada", "Bo"), dice, strict=False):
        thrown(made, game, player, faces, keep=list(faces))
    return game


@pytest.fixture
def rolling() -> tuple[House, uuid.UUID]:
    """A pot of 4 that nobody won rolls over, and is won in the next game, with 4 of antes."""
    made = builders.house()
    builders.dice_for_every_game(made.establishment, sets=2)
    first = threes(made, (1, 1, 1, 1, 1), (2, 2, 2, 2, 2))
    done(made, first, "close")
    settled(made)
    done(made, threes(made, (3, 3, 3, 3, 3), (6, 6, 6, 6, 6)), "close")
    settled(made)
    return made, first


def test_what_rolls_over_otherwise_is_in_the_pot_of_the_next_game(
    rolling: tuple[House, uuid.UUID],
) -> None:
    """TA10. Half the ante, half of everything: 2 coins roll over instead of 4, and so on."""
    sums, results = replayed(rolling[0], changes.parse(options=["ante=1"]))

    was, now = (
        [getattr(each.replayed, side).figures for each in results] for side in ("was", "now")
    )
    assert sums.undecided == 0
    assert (was[0].rolled, was[1].drawn) == (4, 4)
    assert (now[0].rolled, now[1].drawn) == (2, 2)
    assert was[1].won == was[1].pot == 2 * now[1].pot == 2 * now[1].won


def test_each_kind_of_game_takes_its_own_rollover_and_from_where_it_waits_on() -> None:
    """TA10."""
    waits = Rollovers()
    waits.leave(Left("threes-away", 7, -2, "one"))
    waits.leave(Left("threes-away", 9, 5, "two"))

    assert waits.taken("dice-breaker", 20) == (0, "")
    assert waits.taken("threes-away", 7) == (0, "")
    assert waits.taken("threes-away", 9) == (-2, "one")
    assert waits.taken("threes-away", 20) == (5, "two")
    assert waits.taken("threes-away", 30) == (0, "")


def test_what_nobody_knows_of_a_rollover_makes_the_next_game_undecided(
    rolling: tuple[House, uuid.UUID],
) -> None:
    """A changed `zero` leaves the first game undecided: so is what it would have left."""
    made, first = rolling

    earlier, later = replayed(made, changes.parse(options=["zero=4"]))[1]
    undecided = later.replayed.undecided

    assert earlier.replayed.undecided is not None
    assert earlier.replayed.undecided.why == "choice"
    assert undecided is not None
    assert (undecided.why, undecided.message) in {("rollover", str(first)), ("choice", "")}


def test_one_is_on_its_way_at_a_time_and_may_be_stopped(house: House) -> None:
    run = begun(house)
    with pytest.raises(running.AlreadyBegun):
        begun(house)

    assert running.stop(
        runs.WHAT_IF, by=house.manager, house=house.establishment, job=run.id, now=NOW
    )

    assert finished(run).state == State.STOPPED
    assert not running.stop(
        runs.WHAT_IF, by=house.manager, house=house.establishment, job=run.id, now=NOW
    )
    begun(house)


def test_what_a_killed_worker_left_is_woken(house: House) -> None:
    run = begun(house)

    assert list(running.jobs_without_step(NOW + timedelta(minutes=3))) == [run]
    tasks.run_job(kind="what_if", establishment=str(house.id), job=str(run.id))

    assert finished(run).state == State.DONE


@pytest.mark.parametrize("role", [Role.ATTENDANT, Role.SUPERVISOR])
def test_whoever_does_not_audit_may_not_ask(house: House, role: Role) -> None:
    with pytest.raises(NotYours):
        begun(house, by=house.people[role])


def test_another_houses_are_none_of_its_business(house: House) -> None:
    other = builders.house()
    run = finished(begun(house))

    page = signed_in(other, Role.MANAGER).get(reverse("what-if-one", args=[run.id]))

    assert page.status_code == HTTPStatus.NOT_FOUND


@pytest.mark.long("postgresql")
def test_the_command_says_it_to_people_and_to_programs(house: House) -> None:
    out = StringIO()
    call_command("whatif", "--fee=kind=seat,amount=1", f"--house={house.id}", stdout=out)
    told = out.getvalue().replace("\u00a0", " ")
    assert "Fees                    0 r ->        4 r  +4 r" in told
    assert "Ada: \N{MINUS SIGN}14 r -> \N{MINUS SIGN}16 r" in told

    out = StringIO()
    call_command("whatif", "--fee=none", f"--house={house.id}", "--format=json", stdout=out)
    [line] = out.getvalue().splitlines()
    assert json.loads(line)["figures"]["whole_now"]["rounds"] == 2


WRONG = [
    ([f"--house={uuid.uuid4()}", "--fee=none"], "there is no house"),
    (["--fee=none", "--from=2026-11-20", "--to=2026-11-19"], "ends before it begins"),
    (["--player-home=Nobody=1,3,6"], "no player Nobody"),
    ([], "Nothing is changed"),
]


@pytest.mark.long("postgresql")
@pytest.mark.parametrize(("arguments", "sentence"), WRONG)
def test_the_command_says_what_it_cannot_do(
    house: House, arguments: list[str], sentence: str
) -> None:
    del house
    with pytest.raises(CommandError, match=sentence):
        call_command("whatif", *arguments, stdout=StringIO())
