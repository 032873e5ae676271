"""What the API answers, for its description; the answers themselves come from queries."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers

Shape = serializers.Serializer[Any]
PAGE = "The page on which people read it, step by step."


@extend_schema_field({})
class Anything(serializers.Field[Any, Any, Any, Any]):
    pass


def dice(**more: Any) -> serializers.ListField:
    return serializers.ListField(child=serializers.IntegerField(), **more)


def names(**more: Any) -> serializers.ListField:
    return serializers.ListField(child=serializers.CharField(), **more)


def anythings(**more: Any) -> serializers.ListField:
    """Rows of some games only; what stands in them, the game's page of rules says."""
    return serializers.ListField(child=serializers.DictField(), required=False, **more)


def coins(help_text: str = "", **more: Any) -> serializers.DictField:
    return serializers.DictField(child=serializers.IntegerField(), help_text=help_text, **more)


def optional(help_text: str) -> Anything:
    return Anything(required=False, help_text=help_text)


class Problem(Shape):
    """RFC 9457. Programs read `code`, people read `detail`."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    code = serializers.CharField(help_text="Stable.")
    field = serializers.CharField(required=False, help_text="400: which one is malformed.")
    command_id = serializers.CharField(required=False, help_text="409, 422: of which command.")
    done = serializers.IntegerField(
        required=False, help_text="422 of a list: how many commands were carried out before it."
    )
    results = serializers.ListField(
        child=serializers.DictField(),
        required=False,
        help_text="422 of a list: what those answered.",
    )


class EventRow(Shape):
    number = serializers.IntegerField(help_text="In the game, from 1.")
    position = serializers.IntegerField(help_text="In the house's ledger, from 0.")
    event_id = serializers.UUIDField()
    type = serializers.CharField(help_text="Such as stone_hand.dice_thrown.")
    data = serializers.DictField(  # type: ignore[assignment]  # ours, where the class has its own
        help_text="What happened; which fields, the type says."
    )
    command_id = serializers.UUIDField()
    actor = serializers.CharField()
    device = serializers.CharField()
    occurred_at = serializers.DateTimeField(help_text="At the table.")
    recorded_at = serializers.DateTimeField(help_text="At the house's server.")
    gaming_day = serializers.DateField()
    leaf_hash = serializers.CharField(help_text="SHA-256 in hex, RFC 6962.")


class CommandDone(Shape):
    command_id = serializers.UUIDField()
    position = serializers.IntegerField(
        allow_null=True, help_text="Of the last event that the command left in the ledger."
    )
    version = serializers.IntegerField(
        allow_null=True, help_text="Events of the game after the command."
    )
    events = EventRow(many=True)


class Opened(CommandDone):
    id = serializers.UUIDField(help_text="Of the game.")


class ListDone(Shape):
    done = serializers.IntegerField(help_text="How many commands were carried out: all.")
    results = CommandDone(many=True)


CommandsDone = PolymorphicProxySerializer(
    component_name="CommandsDone",
    serializers=[CommandDone, ListDone],
    resource_type_field_name=None,
)


class Throw(Shape):
    """What lay on the table. In Dice Breaker `die` and `value` stand in the place of `dice`."""

    event = serializers.IntegerField()
    player = serializers.CharField(allow_null=True, help_text="River: null is the banker.")
    kept = dice(required=False, help_text="Threes Away: those of them that were kept.")
    dice = dice(required=False)
    hand = serializers.CharField(allow_null=True)
    score = serializers.IntegerField(required=False, allow_null=True)
    void = serializers.BooleanField(required=False, help_text="True where it was cancelled.")
    rank = serializers.IntegerField(
        required=False, allow_null=True, help_text="River: the row of the hand, 1 is the highest."
    )
    bottoms = serializers.BooleanField(
        required=False, help_text="Threes Away: the faces underneath count."
    )
    die = serializers.CharField(required=False, help_text="Dice Breaker: A1 to A5, trump …")
    value = serializers.IntegerField(required=False, allow_null=True)
    breaks = anythings(help_text="Dice that were hit, with their new faces.")
    out = names(required=False)
    caught = anythings(help_text="Dice that were caught, and by whom.")
    spinning = serializers.BooleanField(required=False)


class Payment(Shape):
    amount = serializers.IntegerField()
    rules = names()
    because = serializers.CharField()

    def get_fields(self) -> dict[str, Any]:
        """A payer is called `from`, which no attribute can be."""
        ends = {"from": serializers.CharField(), "to": serializers.CharField()}
        return {**ends, **super().get_fields()}


class PaymentExplained(Payment):
    throws = Throw(many=True, help_text="The throws it rests on.")


class Round(Shape):
    round = serializers.IntegerField()
    url = serializers.URLField(help_text=PAGE)
    winners = names()
    losers = names()
    payments = Payment(many=True)
    carried = serializers.IntegerField(help_text="What the pot held at the end.")
    void = serializers.BooleanField(required=False)
    scores = serializers.DictField(
        required=False, help_text="Threes Away: finished totals, or bust."
    )


class ExplainedRound(Shape):
    round = serializers.IntegerField()
    url = serializers.URLField(help_text=PAGE)
    void = serializers.BooleanField()
    rules = names()
    because = serializers.CharField()
    throws = Throw(many=True)
    payments = PaymentExplained(many=True)
    lots = anythings(help_text="River: how the banker's dice were sold.")
    unseen = names(required=False)
    hands = anythings(help_text="Dice Breaker: what everybody had at the end.")


class Next(Shape):
    players = names()
    may = names()


class Offer(Shape):
    """What may be done next; which other fields there are, `do` says."""

    do = serializers.CharField()
    player = serializers.CharField(required=False)


class Request(Shape):
    """A void that waits for a second person."""

    request = serializers.IntegerField()
    back_to = serializers.IntegerField()
    reason = serializers.CharField()
    asked_by = serializers.CharField()


class Handover(Shape):
    """The table is offered to another attendant, who has not taken it yet."""

    by = serializers.CharField()
    to = serializers.CharField()
    round = serializers.IntegerField()
    version = serializers.IntegerField(help_text="Events of the game that both sign for.")


class OpenDispute(Shape):
    """What is disputed and not decided yet; what it pays is held."""

    dispute = serializers.IntegerField()
    round = serializers.IntegerField()
    payout = serializers.CharField(
        allow_null=True, help_text='Event and payment, like "12.0"; null: all that the round pays.'
    )
    reason = serializers.CharField()
    by = serializers.CharField(help_text="Who raised it.")


class Pinned(Shape):
    id = serializers.UUIDField()
    version = serializers.IntegerField()
    deviates = names(required=False, help_text="In what the game is played otherwise (C2).")


class State(Shape):
    id = serializers.UUIDField()
    establishment = serializers.UUIDField()
    table = serializers.UUIDField()
    dice_set = serializers.UUIDField(help_text="That lies on the table now.")
    paused = serializers.BooleanField()
    handover = Handover(allow_null=True)
    disputes = OpenDispute(many=True)
    witnessed = names(help_text='Payouts that a second person saw: event and payment, "12.0".')
    rules_version = serializers.IntegerField()
    house_rules = Pinned(
        allow_null=True, help_text="The version of the house's rules that its opening names (A4)."
    )
    game = serializers.CharField()
    status = serializers.ChoiceField(["open", "closed"])
    round = serializers.IntegerField()
    first = serializers.CharField(allow_null=True)
    next = Next()
    home_throws = serializers.ListField(child=dice())
    pot = serializers.IntegerField()
    pay = Anything(help_text="What a round is worth, in games that raise it.")
    scores = serializers.DictField()
    stakes = coins("As played, payouts included.")
    points = serializers.DictField(
        child=serializers.CharField(), help_text='Exact fractions such as "33/2".'
    )
    drinks = coins()
    out = names()
    winners = names()
    throws = Throw(many=True)
    rounds = Round(many=True)
    requests = Request(many=True)
    booked = coins("Stakes as the accounts have them.")
    held = coins("Payouts that wait for something, not in `booked`: see the house's payouts.")
    version = serializers.IntegerField(help_text="Events of the game.")
    position = serializers.IntegerField(help_text="Of the game's last event in the ledger.")
    settled_through = serializers.IntegerField(help_text="Position; -1 before the first.")
    offers = Offer(many=True)
    # What only some games have.
    tied = names(required=False, help_text="Stone hand: who throw again to name the loser.")
    sitting_out = names(required=False)
    turn = optional("Cinnabar Gate, Threes Away: how far the running turn is.")
    tied_for = optional("Cinnabar Gate: best or worst, while a tie is thrown out.")
    pockets = coins("Cinnabar Gate: winnings that are not played for.", required=False)
    gone = names(required=False)
    price = optional("River: of five dice in this round.")
    in_round = names(required=False)
    sealed = optional("River: who has sealed, and whether with a commitment. Never dice.")
    offer = optional("River: the banker's dice.")
    lot = optional("River: what is being sold, and the bids so far.")
    lots = anythings(help_text="River: what was sold in this round.")
    won = optional("River: dice won at auction, by player.")
    revealed = names(required=False)
    unseen = names(required=False, help_text="River: whose hands may still be recorded.")
    limit = optional("Threes Away: the greatest total that wins the round.")
    awaited = serializers.IntegerField(
        required=False, help_text="Threes Away: coins of the rollover that are not booked yet."
    )
    target = serializers.IntegerField(required=False, help_text="Dice Breaker: points to win.")
    starting = anythings(help_text="Dice Breaker: how the starting die was broken.")
    arena = anythings(help_text="Dice Breaker: every die of the round, where it is, its face.")
    hands = optional("Dice Breaker: what each has so far, in points, and still has to throw.")
    play_off = names(required=False)
    spinning = serializers.BooleanField(required=False)


class Numbered(Shape):
    next = serializers.CharField(allow_null=True)
    previous = serializers.CharField(allow_null=True)


class EventPage(Numbered):
    results = EventRow(many=True)


class Lot(Shape):
    """Coins that one game left, whole: a game takes all that wait."""

    game = serializers.UUIDField(help_text="That left them.")
    event = serializers.IntegerField(help_text="Its event that did.")
    amount = serializers.IntegerField()
    since = serializers.DateTimeField()
    claimed_by = serializers.UUIDField(
        allow_null=True, help_text="The game they arrive in once they are booked; null: they wait."
    )


class RolledOver(Shape):
    """Players' money, never the house's."""

    game = serializers.CharField(help_text="Which kind of game it waits for: threes-away …")
    amount = serializers.IntegerField(help_text="Of all lots.")
    booked = serializers.IntegerField(help_text="What the house's rollover account holds.")
    lots = Lot(many=True)


class RolledOverAll(Shape):
    results = RolledOver(many=True)


class Leaf(Shape):
    position = serializers.IntegerField()
    body = serializers.CharField()
    leaf_hash = serializers.CharField()


class LedgerPage(Numbered):
    results = Leaf(many=True)
