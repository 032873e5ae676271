"""
Plays a game of Stone Hand through the client that openapi-python-client generates.

    python play.py ADDRESS TOKEN HOUSE

Nothing of the house's own code is imported here: mypy reads it beside the generated client.
"""

from __future__ import annotations

import sys
import time
from typing import Final, TypeVar
from urllib.parse import parse_qs, urlsplit
from uuid import UUID, uuid4

from home_throw_client import AuthenticatedClient
from home_throw_client.api.games import (
    games_commands_create,
    games_create,
    games_events_retrieve,
    games_explain_retrieve,
    games_list,
    games_retrieve,
)
from home_throw_client.api.odds import (
    odds_cinnabar_gate_retrieve,
    odds_dice_breaker_retrieve,
    odds_river_retrieve,
    odds_stone_hand_retrieve,
    odds_threes_away_retrieve,
)
from home_throw_client.api.payouts import establishments_payouts_list
from home_throw_client.api.tables import establishments_tables_list
from home_throw_client.models import (
    CashOutCommand,
    CashOutCommandDo,
    CloseCommand,
    CloseCommandDo,
    CommandDone,
    EventPage,
    ExplainedRound,
    GamesListStatus,
    ListDone,
    OddsAnswer,
    Opened,
    Opening,
    PaginatedCardList,
    PaginatedPayoutRowList,
    PaginatedTableRowList,
    Problem,
    Seat,
    State,
    TableRow,
    ThrowDiceCommand,
    ThrowDiceCommandDo,
    ThrowDieCommand,
    ThrowDieCommandDo,
)
from home_throw_client.types import UNSET, Unset
from httpx import Timeout

T = TypeVar("T")
PLAYERS: Final = ("Ada", "Bruno", "Cleo")
PATIENCE: Final = 180.0  # seconds for an answer, and for what is played to be booked


def of(kind: type[T], answer: object) -> T:
    assert isinstance(answer, kind), answer
    return answer


def thrown(player: str, *dice: int) -> ThrowDiceCommand:
    return ThrowDiceCommand(
        do=ThrowDiceCommandDo.THROW, player=player, dice=list(dice), command_id=uuid4()
    )


def look_at_odds(client: AuthenticatedClient) -> None:
    answers = [
        odds_stone_hand_retrieve.sync(client=client),
        odds_cinnabar_gate_retrieve.sync(client=client),
        odds_river_retrieve.sync(client=client),
        odds_threes_away_retrieve.sync(client=client),
        odds_dice_breaker_retrieve.sync(client=client),
    ]
    games = [of(OddsAnswer, answer).game for answer in answers]
    assert games == ["stone-hand", "cinnabar-gate", "river", "threes-away", "dice-breaker"]


def open_game(client: AuthenticatedClient, table: UUID) -> UUID:
    """Sent twice, it is opened once."""
    opening = Opening(
        game="stone-hand", players=[Seat(name=each) for each in PLAYERS], stake=25, table=table,
        command_id=uuid4(),
    )  # fmt: skip
    first, again = [of(Opened, games_create.sync(client=client, body=opening)) for _ in range(2)]
    assert first == again
    return first.id


def play(client: AuthenticatedClient, game: UUID) -> None:
    throw = thrown("Ada", 2, 2, 3)
    first, again = [
        of(CommandDone, games_commands_create.sync(game, client=client, body=throw))
        for _ in range(2)
    ]
    assert first == again

    refusals = [
        games_commands_create.sync(game, client=client, body=thrown("Cleo", 1, 1, 5)),
        games_commands_create.sync(
            game,
            client=client,
            body=ThrowDieCommand(
                do=ThrowDieCommandDo.THROW, player="Bruno", die="Bruno1", value=3,
                command_id=uuid4(),
            ),
        ),
    ]  # fmt: skip
    assert [of(Problem, each).status for each in refusals] == [422, 422]
    assert of(Problem, refusals[0]).code == "not_your_turn"

    rest = [thrown("Bruno", 3, 3, 4), thrown("Cleo", 1, 1, 5)]
    done = of(ListDone, games_commands_create.sync(game, client=client, body=[*rest]))
    assert done.done == len(rest)


def look_at_game(client: AuthenticatedClient, game: UUID) -> None:
    state = of(State, games_retrieve.sync(game, client=client))
    assert [each.player for each in state.throws] == [*PLAYERS]
    assert sum(state.stakes.additional_properties.values()) + state.pot == 75
    assert state.rounds[0].losers == ["Cleo"]
    events = of(EventPage, games_events_retrieve.sync(game, client=client, after=1, limit=2))
    assert [each.number for each in events.results] == [2, 3]
    explained = of(ExplainedRound, games_explain_retrieve.sync(game, 1, client=client))
    assert all(payment.from_ == "Cleo" for payment in explained.payments)


def end(client: AuthenticatedClient, game: UUID) -> None:
    close = CloseCommand(do=CloseCommandDo.CLOSE, command_id=uuid4())
    of(CommandDone, games_commands_create.sync(game, client=client, body=close))
    until = time.monotonic() + PATIENCE
    while True:
        state = of(State, games_retrieve.sync(game, client=client))
        if state.settled_through >= state.position:
            break
        assert time.monotonic() < until, "It was never booked."
        time.sleep(0.2)
    pay = CashOutCommand(do=CashOutCommandDo.CASH_OUT, player="Ada", amount=25, command_id=uuid4())
    of(CommandDone, games_commands_create.sync(game, client=client, body=pay))


def look_at_lists(client: AuthenticatedClient, house: UUID, game: UUID) -> None:
    until = time.monotonic() + PATIENCE
    while True:  # a list is made by the worker
        games = of(
            PaginatedCardList,
            games_list.sync(
                client=client, establishment=house, status=GamesListStatus.CLOSED, limit=1
            ),
        )
        if [each.id for each in games.results] == [game]:
            break
        assert time.monotonic() < until, "It was never listed."
        time.sleep(0.2)
    assert games.previous is None
    payouts = of(
        PaginatedPayoutRowList, establishments_payouts_list.sync(house, client=client, game=game)
    )
    assert {each.payer for each in payouts.results} == {"pot"}
    assert sum(each.amount for each in payouts.results) == 5
    answer = client.get_httpx_client().get("/api/v1/games/", params={"sate": "closed"})
    refusal = Problem.from_dict(answer.json())
    assert (refusal.status, refusal.field) == (400, "sate")


def tables(client: AuthenticatedClient, house: UUID) -> list[TableRow]:
    """Page by page."""
    found: list[TableRow] = []
    cursor: str | Unset = UNSET
    while True:
        page = of(
            PaginatedTableRowList,
            establishments_tables_list.sync(house, client=client, limit=1, cursor=cursor),
        )
        found += page.results
        if page.next_ is None:
            return found
        [cursor] = parse_qs(urlsplit(page.next_).query)["cursor"]


def main(address: str, token: str, house: UUID) -> None:
    client = AuthenticatedClient(base_url=address, token=token, timeout=Timeout(PATIENCE))
    here = tables(client, house)
    assert len({each.id for each in here}) == 2
    look_at_odds(client)
    game = open_game(client, next(each.id for each in here if each.game is None))
    play(client, game)
    look_at_game(client, game)
    end(client, game)
    look_at_lists(client, house, game)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], UUID(sys.argv[3]))
