"""Shapes of the API's answers, for its description; the answers themselves come from queries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeVar

from django.db.models import Model
from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers

from casino.kit.web.api import of_games
from casino.words.presenters import registered

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from casino.words.presenters.described import Kind

Shape = serializers.Serializer[Any]
Of = TypeVar("Of", bound=Model)
PAGE = "The page on which people read it, step by step."


class Row(serializers.ModelSerializer[Of]):
    # A row of a table that people configure. No docstring: it would describe every row outside.
    # What a column is called is for people, in their language: programs have its name.

    def include_extra_kwargs(self, kwargs: Any, extra_kwargs: Any) -> Any:
        kwargs.pop("label", None)
        return super().include_extra_kwargs(kwargs, extra_kwargs)


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
    type = serializers.CharField(help_text=f"Such as {next(iter(registered.first().shows()))}.")
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


MADE: Final[Mapping[Kind, Callable[[dict[str, Any]], of_games.Field]]] = {
    "anything": lambda common: Anything(required=False, **common),
    "coins": lambda common: coins(required=False, **common),
    "flag": lambda common: serializers.BooleanField(required=False, **common),
    "names": lambda common: names(required=False, **common),
    "number": lambda common: serializers.IntegerField(required=False, **common),
    "number or null": lambda common: serializers.IntegerField(
        required=False, allow_null=True, **common
    ),
    "rows": lambda common: anythings(**common),
    "text": lambda common: serializers.CharField(required=False, **common),
    "by name": lambda common: serializers.DictField(required=False, **common),
}
"""The fields that only some games have, by their kind."""


class Throw(Shape):
    event = serializers.IntegerField()
    player = serializers.CharField(allow_null=True, help_text=of_games.note("throw.player"))
    kept = dice(required=False, help_text=of_games.note("throw.kept"))
    dice = dice(required=False)
    hand = serializers.CharField(allow_null=True)
    score = serializers.IntegerField(required=False, allow_null=True)
    void = serializers.BooleanField(required=False, help_text="True where it was cancelled.")

    def get_fields(self) -> dict[str, Any]:
        return {**super().get_fields(), **of_games.fields("throw", MADE)}


Throw.__doc__ = f"What lay on the table. {of_games.remarks('throw')}"


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

    def get_fields(self) -> dict[str, Any]:
        return {**super().get_fields(), **of_games.fields("round_", MADE)}


class ExplainedRound(Shape):
    round = serializers.IntegerField()
    url = serializers.URLField(help_text=PAGE)
    void = serializers.BooleanField()
    rules = names()
    because = serializers.CharField()
    throws = Throw(many=True)
    payments = PaymentExplained(many=True)

    def get_fields(self) -> dict[str, Any]:
        return {**super().get_fields(), **of_games.fields("explained", MADE)}


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
    unit = serializers.IntegerField(help_text="Coins that a point is worth (G11).")
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

    def get_fields(self) -> dict[str, Any]:
        return {**super().get_fields(), **of_games.fields("state", MADE)}


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

    game = serializers.CharField(
        help_text=f"Which kind of game it waits for: {registered.rolling_over()} …"
    )
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
