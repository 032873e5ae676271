"""What must hold of a house's books: at every moment, and once settlement has caught up."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from typing import TYPE_CHECKING

from casino.house.acts import accounts
from casino.play.core.models import DayFigures, GameCard
from casino.play.settlement import rollovers, seasons, settled
from casino.play.settlement.models import Payout, PrizeIssued, PrizeRule, Tally
from ledger import journal, money
from ledger.accounts import CASH, PLAYERS_MONEY, AccountRef, Kind
from tests.support.playing import balances, booked_events, game_of, nothing_parked, pot_of, state

if TYPE_CHECKING:
    import uuid
    from collections.abc import Iterable

    from tests.support.builders import House


def hold_at_every_moment(house: House) -> None:
    """Accounts are the fold of their transfers, players' money is there, and covered."""
    assert money.differences(establishment=house.id) == {}
    held = balances(house)
    of_players = sum(coins for account, coins in held.items() if account.kind in PLAYERS_MONEY)
    cash = sum(coins for account, coins in held.items() if account.kind in CASH)
    fees = held.get(AccountRef(Kind.FEES, "house"), 0)
    bank = held.get(AccountRef(Kind.BANK, "house"), 0)
    bank += sum(coins for account, coins in held.items() if account.kind == Kind.RECEIVABLE)
    assert all(coins > 0 for account, coins in held.items() if account.kind in PLAYERS_MONEY)
    assert fees >= 0
    assert cash - bank == of_players + fees  # what the house itself put in counts as there
    assert nothing_parked(house)


def are_the_rules_result(house: House, games: Iterable[uuid.UUID]) -> None:
    """Everything is booked, each cause once, and comes to what the rules say was played."""
    games = list(games)
    held = balances(house)
    for game in games:
        loaded, shown = game_of(house, game), state(house, game)
        assert settled.last_event_handled(loaded) == loaded.version
        whole = {name: coins + shown["held"][name] for name, coins in shown["booked"].items()}
        assert whole == shown["stakes"]
        assert held.get(pot_of(game), 0) == shown["pot"]
        causes = Counter(
            event.data["cause"]
            for event in booked_events(house, game)
            if event.event_type != settled.PRIZE_ISSUED and event.data["cause"]
        )
        assert set(causes.values()) <= {1}
    _rollovers_are_their_lots(house)
    _points_are_the_rules(house, games)
    _prizes_are_owed_once(house)


def _rollovers_are_their_lots(house: House) -> None:
    held = money.balances(establishment=house.id, kinds=[Kind.ROLLOVER])
    kinds = rollovers.kinds(house.id)
    lots = {
        accounts.rollover(kind): rollovers.total(rollovers.read(house.id, kind).lots)
        for kind in kinds
    }
    assert {account: coins for account, coins in held.items() if coins} == {
        account: coins for account, coins in lots.items() if coins
    }


def _points_are_the_rules(house: House, games: Iterable[uuid.UUID]) -> None:
    scored: defaultdict[tuple[str, str], Fraction] = defaultdict(Fraction)
    for game in games:
        loaded = game_of(house, game)
        for _, fact in loaded.live:
            for player, points in fact.points:
                scored[loaded.ruleset.id, player] += points
    kept: defaultdict[tuple[str, str], Fraction] = defaultdict(Fraction)
    for each in Tally.objects.filter(establishment=house.establishment):
        if each.exact:
            kept[each.ruleset, each.player] += each.exact
    assert kept == scored


def _prizes_are_owed_once(house: House) -> None:
    """A threshold is worth what its rule says; what a place is worth, its season's end says."""
    rules = {rule.pk: rule for rule in PrizeRule.objects.filter(establishment=house.establishment)}
    owed: Counter[str] = Counter()
    for issued in PrizeIssued.objects.filter(establishment=house.establishment):
        rule = rules[issued.rule]
        owed[issued.player] += rule.amount if rule.kind == PrizeRule.Kind.POINTS else 0
    for ruleset in {rule.ruleset for rule in rules.values()}:
        for event in journal.stream(establishment=house.id, stream=seasons.stream(ruleset)):
            if event.event_type == settled.PRIZE_ISSUED:
                owed[event.data["player"]] += event.data["amount"]
    held = money.balances(establishment=house.id, kinds=[Kind.PRIZES_OWED])
    assert {account.name: coins for account, coins in held.items()} == +owed


def read_models(house: House) -> list[list[tuple[object, ...]]]:
    """Every row that screens read of a house, comparable."""
    return [
        sorted(
            model._default_manager.filter(establishment=house.establishment).values_list(), key=str
        )
        for model in (GameCard, DayFigures, Payout)
    ]
