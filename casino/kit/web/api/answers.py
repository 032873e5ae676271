"""
What the API's description shows of content: shapes of answers, examples of requests, and what games
add to both. The answers themselves come from queries.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar

from django.db.models import Model
from drf_spectacular.utils import OpenApiExample, PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers

from casino.words.presenters import registered
from casino.words.presenters.registered import games

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from casino.words.presenters.registration import ApiField, Described, Example, FieldKind


# The parts of the API's description that games provide: fields of answers, notes, examples.


Part = Literal["state", "throw", "round_", "explained"]
Field = serializers.Field[Any, Any, Any, Any]


def descriptions() -> Iterator[tuple[str, Described]]:
    """The id of each game that describes itself, with its description."""
    for game in games().values():
        described = game.is_described()
        if described is not None:
            yield game.id, described


def fields_of_games(
    part: Part, made: Mapping[FieldKind, Callable[[dict[str, Any]], Field]]
) -> dict[str, Field]:
    """
    The serializer fields that only some games have, in the order of the games.

    A field that several games have comes once, with the names of all of them.

    :param made: for each kind, a function that makes a field from the arguments all fields take.
    """
    first: dict[str, ApiField] = {}
    names: dict[str, list[str]] = {}
    for _game, described in descriptions():
        for each in getattr(described, part):
            names.setdefault(first.setdefault(each.name, each).name, []).append(described.name)
    return {name: made[each.kind](_arguments(each, names[name])) for name, each in first.items()}


def _arguments(each: ApiField, names: list[str]) -> dict[str, Any]:
    if not each.description:
        return {}
    return {
        "help_text": each.description if each.alone else f"{', '.join(names)}: {each.description}"
    }


def notes_of_games(of: str) -> str:
    """The notes of games about a field that all games have, each with the game's name."""
    notes = (
        f"{described.name}: {described.notes[of]}"
        for _game, described in descriptions()
        if of in described.notes
    )
    return " ".join(notes)


def remarks_of_games(of: str) -> str:
    """The notes of games about a whole answer, as sentences."""
    return " ".join(
        described.notes[of] for _game, described in descriptions() if of in described.notes
    )


def openings_of_games(table: str) -> Iterator[tuple[Example, dict[str, Any]]]:
    """Examples of opening a game at a table, each with the body that is sent."""
    for game, described in descriptions():
        for each in described.openings:
            yield each, {"table": table, "game": game, **each.body}


def commands_of_games() -> Iterator[Example]:
    for _game, described in descriptions():
        yield from described.commands


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


MADE: Final[Mapping[FieldKind, Callable[[dict[str, Any]], Field]]] = {
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
    player = serializers.CharField(allow_null=True, help_text=notes_of_games("throw.player"))
    kept = dice(required=False, help_text=notes_of_games("throw.kept"))
    dice = dice(required=False)
    hand = serializers.CharField(allow_null=True)
    score = serializers.IntegerField(required=False, allow_null=True)
    void = serializers.BooleanField(required=False, help_text="True where it was cancelled.")

    def get_fields(self) -> dict[str, Any]:
        return {**super().get_fields(), **fields_of_games("throw", MADE)}


Throw.__doc__ = f"What lay on the table. {remarks_of_games('throw')}"


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
        return {**super().get_fields(), **fields_of_games("round_", MADE)}


class ExplainedRound(Shape):
    round = serializers.IntegerField()
    url = serializers.URLField(help_text=PAGE)
    void = serializers.BooleanField()
    rules = names()
    because = serializers.CharField()
    throws = Throw(many=True)
    payments = PaymentExplained(many=True)

    def get_fields(self) -> dict[str, Any]:
        return {**super().get_fields(), **fields_of_games("explained", MADE)}


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
        return {**super().get_fields(), **fields_of_games("state", MADE)}


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


# Examples of requests for the API's description: openings of all games, commands of all kinds.


TABLE: Final = "3f0d8a52-8a0e-4a57-9d0b-6f7d0f2b1c11"


def example(name: str, number: int, body: dict[str, Any]) -> OpenApiExample:
    return OpenApiExample(name, identified(number, body), request_only=True)


def identified(number: int, body: dict[str, Any]) -> dict[str, Any]:
    return {"command_id": f"0197e3a0-5c1e-7b1e-9f6e-{number:012x}", **body}


def _number_of_command(each: OpenApiExample) -> str:
    """The id that its command has, the first of several."""
    body = each.value[0] if isinstance(each.value, list) else each.value
    return str(body["command_id"])


# fmt: off
OPENING: Final = [
    example(each.title, each.number, body) for each, body in openings_of_games(TABLE)
]
OF_ALL_GAMES: Final = [
    example("One throw", 0x201, {"do": "throw", "player": "Ada", "dice": [2, 2, 7]}),
    OpenApiExample(
        "A list, as a device sends it that was offline",
        [
            identified(0x202, {
                "do": "throw", "player": "Bruno", "dice": [1, 5, 5],
                "occurred_at": "2026-01-31T21:06:10+01:00",
            }),
            identified(0x203, {
                "do": "void", "back_to": 4, "reason": "The wrong player was tapped.",
                "occurred_at": "2026-01-31T21:06:40+01:00",
            }),
        ],
        request_only=True,
    ),
    example("The attendant throws for the home throw", 0x204, {
        "do": "throw_home", "dice": [1, 5, 8],
    }),
    example("A hand that might be thrown again stands", 0x205, {"do": "stand", "player": "Ada"}),
    example("A cocked die", 0x206, {
        "do": "no_throw", "player": "Ada", "reason": "cocked", "dice": [3, 3, 8],
        "note": "It leaned on the rim.",
    }),
    example("Somebody joins, with what they stake", 0x214, {
        "do": "join", "player": "Dora", "stake": 30,
    }),
    example("Somebody leaves", 0x215, {"do": "leave", "player": "Dora"}),
    example("More money for a player", 0x216, {"do": "buy_in", "player": "Ada", "amount": 20}),
    example("Cash for who plays no longer", 0x217, {
        "do": "cash_out", "player": "Dora", "amount": 30,
    }),
    example("A second person approves a void", 0x218, {"do": "approve", "request": 12}),
    example("... or does not", 0x219, {
        "do": "reject", "request": 12, "reason": "The camera shows a seven.",
    }),
    example("The sitting ends", 0x21A, {"do": "close", "reason": "Closing time."}),
    example("A break", 0x21B, {"do": "pause", "note": "A die is on the floor."}),
    example("Play goes on", 0x21C, {"do": "resume"}),
    example("The table is offered to another attendant; who takes it sends the same", 0x21D, {
        "do": "handover", "to": "8d7a3c52-1f0e-4b57-9d0b-6f7d0f2b1c12",
    }),
    example("Other dice, between rounds", 0x21E, {
        "do": "change_dice", "dice_set": "1c2d8a52-8a0e-4a57-9d0b-6f7d0f2b1c13",
        "reason": "One is chipped.",
    }),
    example("A second person saw a payout: the first payment of event 12", 0x21F, {
        "do": "witness", "payout": "12.0",
    }),
    example("A round is disputed", 0x220, {
        "do": "dispute", "round": 3, "reason": "Ada says the seven was a one.",
    }),
    example("... or a payout of it, by the command that brought it about", 0x221, {
        "do": "dispute", "payout": "0197e3a0-5c1e-7b1e-9f6e-000000000201",
        "reason": "Bruno was paid twice.",
    }),
    example("A second person decides a dispute", 0x222, {
        "do": "resolve", "dispute": 14, "outcome": "stands", "reason": "The camera shows a seven.",
    }),
    example("An entry is changed in place, and what came after it entered again", 0x223, {
        "do": "void", "back_to": 9, "reason": "wrong face",
        "instead": {"do": "buy_in", "player": "Ada", "amount": 5},
    }),
    example("Something was left out before it", 0x224, {
        "do": "void", "back_to": 9, "reason": "something left out", "before": True,
        "instead": {"do": "leave", "player": "Dora"},
    }),
]
# fmt: on
OF_SOME: Final = [example(each.title, each.number, dict(each.body)) for each in commands_of_games()]
COMMANDS: Final = sorted([*OF_ALL_GAMES, *OF_SOME], key=_number_of_command)
"""By their numbers."""
