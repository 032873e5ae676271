"""
A change in place (G4): an entry of a game with one value changed, shown as a difference before it
is sent.

What is sent is one void that enters the changed command instead of the recorded one, and what came
after it again (`games.corrections`). Alone or with a second person, as any void.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.floor.tables import supervising
from casino.floor.tables.board import boards, posted
from casino.house.attendants.pseudonyms import tokens
from casino.play.core import undo
from casino.play.core.undo import Change, before, effects
from casino.play.settlement import settled
from casino.words.languages.amounts import as_typed
from casino.words.presenters import PRESENTERS
from casino.words.presenters.words import REASONS as NO_THROWS
from games import corrections, kinds, vocabulary
from games.refusals import Malformed, Refused

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from django.http import QueryDict
    from django.utils.functional import _StrPromise

    from casino.floor.tables.board.boards import Seen
    from casino.house.acts.game_streams.loading import Loaded
    from casino.words.presenters.presenter import Presenter

INSTEAD: Final = "instead"
INSTEAD_DO: Final = f"{INSTEAD}.do"
NOTHING: Final = "\N{EN DASH}"
LABELS: Final[Mapping[str, _StrPromise]] = {
    "player": gettext_lazy("Player"),
    "dice": gettext_lazy("Dice"),
    "keep": gettext_lazy("Kept"),
    "bottoms": gettext_lazy("Bottoms were called"),
    "die": gettext_lazy("Die"),
    "value": gettext_lazy("Face"),
    "breaks": gettext_lazy("Dice that it hit"),
    "out": gettext_lazy("Dice that left the arena"),
    "caught": gettext_lazy("Dice that were caught"),
    "by": gettext_lazy("By"),
    "spinning": gettext_lazy("It spins"),
    "amount": gettext_lazy("Amount"),
    "price": gettext_lazy("Price"),
    "reason": gettext_lazy("Why it does not count"),
    "note": gettext_lazy("Note"),
}
ACTS: Final[Mapping[str, _StrPromise]] = {
    "throw_home": gettext_lazy("A throw of the attendant"),
    "throw": gettext_lazy("A throw"),
    "break_start": gettext_lazy("A throw for the start"),
    "keep": gettext_lazy("Dice that were kept"),
    "stand": gettext_lazy("Somebody stands"),
    "no_throw": gettext_lazy("A throw that does not count"),
    "start_round": gettext_lazy("The start of a round"),
    "bid": gettext_lazy("A bid"),
    "pass": gettext_lazy("Somebody passes"),
    "sell": gettext_lazy("A sale"),
    "leave": gettext_lazy("Somebody leaves"),
    "buy_in": gettext_lazy("Somebody brings more money"),
}
REASONS: Final = (
    gettext_lazy("wrong face"),
    gettext_lazy("wrong player"),
    gettext_lazy("something left out"),
    gettext_lazy("wrong amount"),
)


class NotChangedInPlace(Refused):
    code = "not_changed_in_place"


@dataclass(frozen=True, slots=True)
class Choice:
    """What may be chosen: the value that is sent, and how it is called."""

    value: str
    label: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Control:
    """
    A control of the form: a choice among few, or something typed.

    :param choices: None: `value` is typed; with `money`, it is an amount.
    :param keys: the choices lie side by side, for one tap.
    """

    name: str
    label: str
    value: str = ""
    choices: tuple[Choice, ...] | None = None
    money: bool = False
    keys: bool = False


@dataclass(frozen=True, slots=True)
class Field:
    """A value of the command: one control, or several beside each other; `flag`: a tick."""

    label: str
    controls: tuple[Control, ...]
    flag: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """
    An entry that is changed: its command as it was recorded, with names; or one that was left out
    before it, with no more than its ``do``.
    """

    raw: dict[str, Any]
    players: tuple[str, ...]
    dice: tuple[str, ...]
    sides: int
    presenter: Presenter


def page(seen: Seen, number: int, sent: QueryDict) -> dict[str, Any]:
    """
    The form that changes an entry, and what comes of the change as far as it is made.

    :param sent: the form as it stands, if anything was changed.
    :raises Refused: if the entry cannot be changed, in the rules' own sentence.
    """
    loaded, house = seen.loaded, seen.house
    back_to = corrections.reversible(number, loaded.state, settled.irreversible_through(loaded))
    only, left_out = sent.get("only") == "true", sent.get("before") == "true"
    asked = without_blanks(posted.command(side_by_side(sent)).get(INSTEAD, {}))
    if left_out and asked.get("do") not in vocabulary.CORRECTED:
        acts = [{"do": each, "label": str(ACTS[each])} for each in possible_before(loaded, back_to)]
        return {**supervising.about(seen), "event": number, "acts": acts}
    entry = entry_to_change(
        loaded, back_to, {"do": asked["do"]} if left_out else command_of_event(loaded, back_to)
    )
    if INSTEAD_DO not in sent:
        asked = entry.raw
    context = {
        **supervising.about(seen),
        "event": number,
        "back_to": back_to,
        "do": entry.raw["do"],
        "fields": list(controls(entry, asked)),
        "only": only,
        "before": left_out,
        "alone": corrections.alone(
            back_to,
            loaded.state,
            seen.through,
            in_time=undo.is_open(loaded, house.undo_seconds, timezone.now()),
        ),
        "waits": next(
            (each.request for each in loaded.state.requests if each.back_to == back_to), None
        ),
        "reasons": [str(reason) for reason in REASONS],
        "changed": asked != entry.raw,
    }
    if not context["changed"]:
        return context
    try:
        vocabulary.shape({"do": "void", "back_to": back_to, "reason": "", INSTEAD: asked})
        vocabulary.read(asked)
    except Malformed:
        return {**context, "unfit": _("Something of it is not said yet.")}
    except Refused as refused:
        return {**context, "unfit": str(refused)}
    change = Change(in_tokens(loaded, asked), only=only, before=left_out)
    seen_effects = tokens.resolve(house.pk, effects(loaded, back_to, loaded.version, change))
    without = later_unfit(loaded, back_to, change) if seen_effects["unfit"] else None
    return {
        **context,
        "void": seen_effects,
        "unfit": seen_effects["unfit"] and tokens.resolve_text(house.pk, seen_effects["unfit"]),
        "without": without,
        "posted": list(flat(INSTEAD, asked)),
    }


def side_by_side(sent: QueryDict) -> QueryDict:
    """
    The form with its lists put together: keys of one place of a list have its number behind their
    name, `dice:0`, because a page takes only one of all keys of a name.
    """
    form = sent.copy()
    for name in sorted(name for name in sent if ":" in name):
        form.appendlist(name.partition(":")[0], str(sent[name]))
    return form


def command_of_event(loaded: Loaded, back_to: int) -> dict[str, Any]:
    """
    The command that an event came with, with names.

    :raises NotChangedInPlace: if it is not a command of play.
    """
    command = loaded.ruleset.command_of(loaded.facts[back_to - 1])
    raw = None if command is None else corrections.command_in_full(command)
    if raw is None:
        raise NotChangedInPlace(_("This cannot be changed in place: void it. G4"))
    return without_blanks(tokens.resolve(loaded.key.establishment, raw))


def entry_to_change(loaded: Loaded, back_to: int, raw: dict[str, Any]) -> Entry:
    """An entry with what may be chosen for it, as the game stood before the event."""
    then, presenter = before(loaded, back_to), PRESENTERS[loaded.ruleset.id]
    rows = [each for each in loaded.ruleset.offers(then.state) if each["do"] == raw["do"]]
    dice = dict.fromkeys(
        die for row in rows for name in ("die", "hits") for die in as_list(row.get(name))
    )
    house = loaded.key.establishment
    return Entry(
        raw=raw,
        players=tuple(tokens.resolve(house, list(loaded.stakes))),
        dice=tuple(tokens.resolve(house, list(dice))),
        sides=next((row["sides"] for row in rows if "sides" in row), presenter.SIZES[0]),
        presenter=presenter,
    )


def possible_before(loaded: Loaded, back_to: int) -> list[str]:
    """What could have been entered before an event, in the order of the vocabulary."""
    rows = loaded.ruleset.offers(before(loaded, back_to).state)
    offered = {row["do"] for row in rows}
    return [do for do in vocabulary.CORRECTED if do in offered]


def later_unfit(loaded: Loaded, back_to: int, change: Change) -> int | None:
    """How many entries would go back if only the change were entered; None if that fails too."""
    only = replace(change, only=True)
    if change.only or change.before or effects(loaded, back_to, 0, only)["unfit"]:
        return None
    return sum(number > back_to and not fact.consequence for number, fact in loaded.live)


def without_blanks(raw: Mapping[str, Any]) -> dict[str, Any]:
    """A command without what is as good as not said: empty lists, ticks that are not set."""
    return {name: value for name, value in raw.items() if value not in (False, [], "")}


def in_tokens(loaded: Loaded, raw: Mapping[str, Any]) -> dict[str, Any]:
    """The command with tokens for players; a name that belongs to nobody stays as it is."""
    names = tokens.names(loaded.key.establishment, boards.players(loaded))
    by_name = {name: token for token, name in names.items()}
    return vocabulary.map_players(raw, lambda name: by_name.get(name, name))


def flat(name: str, value: Any) -> Iterator[tuple[str, str]]:
    """The hidden fields of a form that hold a value, as `board.posted` reads them."""
    match value:
        case dict():
            for key, each in value.items():
                yield from flat(f"{name}.{key}", each)
        case list():
            for each in value:
                yield from flat(name, each)
        case bool():
            yield name, "true" if value else "false"
        case _:
            yield name, str(value)


# --- The form -----------------------------------------------------------------------------------


def controls(entry: Entry, asked: Mapping[str, Any]) -> Iterator[Field]:
    """The fields that the command may have in this game, with the values as they stand."""
    kind = vocabulary.CORRECTED[entry.raw["do"]]
    record = kind.of(entry.raw) if isinstance(kind, kinds.Either) else kind
    if not isinstance(record, kinds.Record):
        return
    for name, each in (*record.required.items(), *record.optional.items()):
        if name in LABELS and (name in record.required or possible(entry, name)):
            required = name in record.required
            yield field(entry, name, each, asked.get(name), required=required)


def possible(entry: Entry, name: str) -> bool:
    """Whether this entry may have an optional value: it has it, or its game knows it."""
    if name in {"keep", "bottoms"}:
        return name in entry.raw
    return name != "dice"


def field(entry: Entry, name: str, kind: kinds.Kind, value: Any, *, required: bool) -> Field:
    label, at = str(LABELS[name]), f"{INSTEAD}.{name}"
    match kind:
        case kinds.Flag():
            tick = Choice("true", label, chosen=bool(value))
            return Field(label, (Control(at, label, choices=(tick,)),), flag=True)
        case kinds.ListOf(item=kinds.Record() as row):
            return Field(label, tuple(rows(entry, at, row, value or ())))
        case kinds.ListOf(item=item):
            more = may_add(name, entry)
            given = [*(value or ()), *([None] if more else [])]
            beside = [
                single(entry, at if more else f"{at}:{place}", label, item, each, optional=more)
                for place, each in enumerate(given)
            ]
            return Field(label, tuple(beside))
        case _:
            return Field(label, (single(entry, at, label, kind, value, optional=not required),))


def may_add(name: str, entry: Entry) -> bool:
    """Whether one more may be added to a list: of dice that are thrown there are always as many."""
    return name != "dice" or entry.raw["do"] == "keep"


def rows(
    entry: Entry, at: str, row: kinds.Record, given: Sequence[Mapping[str, Any]]
) -> Iterator[Control]:
    """The rows of a list of objects, and an empty one."""
    for each in (*given, {}):
        for name, kind in row.required.items():
            label = str(LABELS[name])
            yield single(entry, f"{at}.{name}", label, kind, each.get(name), optional=True)


def single(  # noqa: PLR0913 - all that a control shows
    entry: Entry, at: str, label: str, kind: kinds.Kind, value: Any, *, optional: bool
) -> Control:
    known = choices(entry, at, kind)
    if known is not None:
        keys = isinstance(kind, kinds.Face | kinds.Player) and not optional
        return chosen(at, label, known, value, optional=optional, keys=keys)
    if isinstance(kind, kinds.Coins):
        return Control(at, label, as_typed(value), money=True)
    return Control(at, label, str(value or ""))


def choices(entry: Entry, at: str, kind: kinds.Kind) -> list[tuple[str, str]] | None:
    """The values that a control offers, each with its words; None: it is typed."""
    match kind:
        case kinds.Player():
            return [(each, each) for each in entry.players]
        case kinds.Face():
            return [(str(face), str(face)) for face in range(1, entry.sides + 1)]
        case kinds.DieName():
            return [(each, entry.presenter.called(each)) for each in entry.dice]
        case kinds.Word() if at.endswith(".reason"):
            return [(name, str(words)) for name, words in NO_THROWS.items()]
        case _:
            return None


def chosen(  # noqa: PLR0913 - all that a control shows
    at: str,
    label: str,
    known: Sequence[tuple[str, str]],
    value: Any,
    *,
    optional: bool,
    keys: bool = False,
) -> Control:
    """A choice; what is chosen is offered even if it is not among the known, or nothing."""
    now = "" if value is None else str(value)
    first = [("", NOTHING)] if optional else []
    if now not in dict(known) and now not in dict(first):
        first.append((now, now or NOTHING))
    choices = [Choice(each, words, chosen=each == now) for each, words in (*first, *known)]
    return Control(at, label, choices=tuple(choices), keys=keys)


def as_list(value: Any) -> list[str]:
    return list(value) if isinstance(value, list | tuple) else [value] if value else []
