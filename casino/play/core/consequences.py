"""The ledger entry of a decided command: events, cash, table and dice, rollovers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from casino.house.acts import accounts
from casino.house.acts.game_streams import catalogue, occupancy
from casino.play.settlement import holding, rollovers, settled
from games import messages
from games.messages import CashedOut, DiceChanged
from ledger import journal
from ledger.journal import AccountRef, NewTransfer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from uuid import UUID

    from casino.house.acts.game_streams.loading import GameKey, Loaded
    from casino.play.settlement.rollovers import Lot, Offer
    from games.game import Ruleset
    from games.messages import Fact


def entry(  # noqa: PLR0913 - one argument for each thing that goes into the ledger
    *,
    key: GameKey,
    ruleset: Ruleset,
    loaded: Loaded | None,
    facts: Sequence[Fact],
    place: Mapping[str, str],
    seen: Mapping[str, int],
    provenance: journal.Provenance,
    request_hash: bytes,
    offer: Offer | None = None,
    delivered: Lot | None = None,
    house_rules: Mapping[str, Any] | None = None,
    large_prize: int | None = None,
) -> journal.Entry:
    """
    The ledger entry of a command that the rules allowed.

    :param loaded: the game as it was decided on; None: the command opens it.
    :param seen: versions of further streams that the decision depends on.
    :param offer: what an opening takes of the house's rollover.
    :param delivered: the lot of the rollover that arrives with this command.
    :param house_rules: the version of the house's rules that an opening names (A4).
    :param large_prize: an opening's threshold in coins; larger payouts need a witness (A7).
    :raises Refused: if table or dice are taken, or a void would take back coins of the rollover
        that another game has drawn.
    """
    state = loaded.state if loaded else ruleset.decider.initial
    over = ruleset.decider.is_terminal(ruleset.decider.fold(facts, state))
    placed = occupancy.change_claims(
        key, place, had=loaded is not None and not loaded.closed, has=not over
    )
    for fact in facts:
        if isinstance(fact, DiceChanged):
            placed = occupancy.dice_changed(key, place, fact.dice_set)
    if loaded is not None and any(each.event_type == "dice.lifted" for each in placed.events):
        occupancy.quarantine(placed, _large_prizes(loaded, facts))
    rolled = rollovers.change_lots(
        key,
        ruleset.id,
        loaded,
        facts,
        over=over,
        at=provenance.occurred_at,
        offer=offer,
        delivered=delivered,
    )
    return journal.Entry(
        provenance=provenance,
        request_hash=request_hash,
        guards={
            key.stream: loaded.version if loaded else 0,
            **seen,
            **placed.guards,
            **rolled.guards,
        },
        events=(
            *_events(key, ruleset, facts, place, house_rules, large_prize),
            *placed.events,
            *rolled.events,
        ),
        transfers=tuple(cash_transfers(key.game, facts, place["table"], loaded)),
    )


def _large_prizes(loaded: Loaded, facts: Sequence[Fact]) -> dict[str, list[str]]:
    """The large prizes of a game that were not voided (A7), by the dice set they were won with."""
    opening = loaded.opening.data
    record = holding.Record((*loaded.facts, *facts), opening.get(catalogue.LARGE_PRIZE))
    return record.large_prizes(opening["dice_set"])


def _events(  # noqa: PLR0913, PLR0917 - what an opening pins beside the game's own
    key: GameKey,
    ruleset: Ruleset,
    facts: Sequence[Fact],
    place: Mapping[str, str],
    house_rules: Mapping[str, Any] | None,
    large_prize: int | None,
) -> Iterator[journal.NewEvent]:
    for number, fact in enumerate(facts):
        event_type, data = catalogue.event_of_fact(ruleset, fact, place)
        if house_rules and number == 0:  # the opening itself
            data = {**data, catalogue.HOUSE_RULES: dict(house_rules)}
        if large_prize and number == 0:
            data = {**data, catalogue.LARGE_PRIZE: large_prize}
        yield journal.NewEvent(
            stream=key.stream, event_type=event_type, schema_version=1, data=data
        )


# Transfers of buy-ins and cash-outs: made by the command itself, not by settlement.


def cash_transfers(
    game: UUID, facts: Sequence[Fact], table: str, loaded: Loaded | None
) -> Iterator[NewTransfer]:
    """
    The transfers of the buy-ins and cash-outs among the facts of a command.

    :raises PayoutHeld: if some of the money of a cash-out is held.
    :raises PayoutsStopped: if the house pays nobody now.
    """
    for number, fact in enumerate(facts):
        for player, amount, house in fact.buy_ins:
            yield NewTransfer(
                debit=_purse(table, house=house),
                credit=accounts.stake(game, player),
                amount=amount,
                reason="house_seat" if house else "buy_in",
                event=number,
            )
        if isinstance(fact, CashedOut):
            house = loaded is not None and fact.player in house_seats(loaded)
            if loaded is not None:
                settled.leaves(loaded, fact.player, fact.amount)
            yield NewTransfer(
                debit=accounts.stake(game, fact.player),
                credit=_purse(table, house=house),
                amount=fact.amount,
                reason="cash_out",
                event=number,
            )


def house_seats(loaded: Loaded) -> frozenset[str]:
    """The players of a game whose stake belongs to the house (G8)."""
    return messages.house_seats(loaded.live)


def _purse(table: str, *, house: bool) -> AccountRef:
    """The account that a stake comes from: the bank for a house seat, else the float (G8)."""
    return accounts.bank() if house else accounts.table_float(table)
