"""
House rules: the options, fee and home throws of each game, published and in force from a moment.

What the opening of a game leaves out is filled in from the house rules. What differs from them is a
deviation, which the house allows or refuses. The fee cannot deviate: it is taken as announced (A5).
An open game keeps the rules that its opening pinned (A4). What is played for can be counted out in
the house's pieces (G11). The rows are `establishments.models.HouseRules`; see docs/decisions/0028.
"""

from __future__ import annotations

import re
import uuid
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NotRequired, TypedDict, Unpack

from django.core.exceptions import ValidationError
from django.db.models import Max
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.acts import changes
from casino.house.acts.game_streams import catalogue
from casino.house.attendants.models import Role
from casino.house.attendants.pseudonyms import tokens
from casino.house.establishments.denominations import smallest, values
from casino.house.establishments.models import HouseRules
from casino.words.languages.amounts import money
from casino.words.languages.messages import CONTEXT, translate
from casino.words.presenters import fees, opening_forms
from casino.words.presenters.opening_forms import UNIT
from casino.words.presenters.registered import OPENINGS
from games import pieces, vocabulary
from games.fees import in_words
from games.payments import COINS_MAX
from games.refusals import Malformed, Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from casino.house.attendants.models import Attendant
    from casino.house.establishments.models import Establishment
    from casino.words.presenters.opening_forms import Opening, Option
    from games.game import DiceNeeded

STREAM: Final = changes.record_stream("house_rules")
TRIAL_STAKE: Final = 10**12  # coins of each player in a trial opening, which only checks rules
MAY_DEVIATE: Final[Mapping[str, frozenset[str]]] = {
    HouseRules.Deviations.NOBODY: frozenset(),
    HouseRules.Deviations.SUPERVISOR: frozenset({Role.SUPERVISOR, Role.MANAGER}),
    HouseRules.Deviations.ANYBODY: frozenset({Role.ATTENDANT, Role.SUPERVISOR, Role.MANAGER}),
}


class RulesNotPublished(Refused):
    code = "rules_not_published"


class NotPlayedHere(Refused):
    code = "not_played_here"


class FeeNotAnnounced(Refused):
    code = "fee_not_announced"


class NotTheHousesRules(Refused):
    code = "not_the_houses_rules"


@dataclass(frozen=True, slots=True)
class Terms:
    """
    What the house rules add to an opening.

    :param fields: fields of the command that replace its own; a value None removes the field.
    :param pinned: the version of the rules that the opening names, and its deviations from them,
        if any (C2); None if no rules are in force.
    :param seen: the version of the stream from which the rules were read.
    """

    fields: Mapping[str, Any] = field(default_factory=dict)
    pinned: Mapping[str, Any] | None = None
    seen: Mapping[str, int] = field(default_factory=dict)


def in_force(*, establishment: Establishment, game: str, at: datetime) -> HouseRules | None:
    """The rules of a game in force at a moment: the latest version that had begun by then."""
    rows = HouseRules.objects.filter(establishment=establishment, game=game, effective_from__lte=at)
    found = rows.order_by("-effective_from", "-version").first()
    if found is not None:
        found.establishment = establishment  # known: its pieces say what a point is worth
    return found


def all_in_force(establishment: Establishment, at: datetime) -> dict[str, HouseRules]:
    """The rules in force at a moment, by game; games without rules are left out."""
    rows = HouseRules.objects.filter(establishment=establishment, effective_from__lte=at)
    return {row.game: row for row in rows.order_by("effective_from", "version")}


def games_offered(establishment: Establishment, at: datetime) -> set[str]:
    """The games that may be opened at a moment."""
    rules = all_in_force(establishment, at)
    closed = {game for game, each in rules.items() if not each.played}
    return (set(rules) if establishment.publishes_rules else set(OPENINGS)) - closed


class Version(TypedDict):
    """The arguments of `draft_rules`: the content of a version of a game's rules."""

    establishment: Establishment
    game: str
    effective_from: datetime
    by: Attendant | None
    now: datetime
    options: NotRequired[Mapping[str, Any] | None]
    fee: NotRequired[Mapping[str, Any] | None]
    home_throws: NotRequired[str]
    deviations: NotRequired[str]
    text: NotRequired[str]
    played: NotRequired[bool]


def publish(*, reason: str = "", **version: Unpack[Version]) -> HouseRules:
    """
    Publish a version of the house's rules for a game, in force from a moment on.

    :raises NotYours: if the person may not configure the house.
    :raises ValidationError: by field, if the game's rules do not allow it or the moment is past.
    """
    rules = draft_rules(**version)
    house, by = version["establishment"], version["by"]
    changes.create(rules, establishment=house, by=by, reason=reason)
    return rules


def draft_rules(  # noqa: PLR0913 - one argument for each thing the record must say
    *,
    establishment: Establishment,
    game: str,
    effective_from: datetime,
    by: Attendant | None,
    now: datetime,
    options: Mapping[str, Any] | None = None,
    fee: Mapping[str, Any] | None = None,
    home_throws: str = HouseRules.HomeThrows.NONE,
    deviations: str = HouseRules.Deviations.SUPERVISOR,
    text: str = "",
    played: bool = True,
) -> HouseRules:
    """
    The next version of a game's rules, checked and not saved.

    :raises ValidationError: as `publish`.
    """
    if game not in OPENINGS:
        raise ValidationError({"game": f"No game is called {game!r}; {', '.join(OPENINGS)} are."})
    if effective_from < now:
        raise ValidationError(
            {"effective_from": "Rules begin now or later: nothing is announced for the past. A4"}
        )
    rules = HouseRules(
        id=uuid.uuid4(),
        establishment=establishment,
        game=game,
        version=next_version(establishment, game),
        effective_from=effective_from,
        played=played,
        options=_unusual(OPENINGS[game], establishment, _in_integers(options or {})),
        fee=_in_integers(fee) if fee else None,
        home_throws=home_throws,
        deviations=deviations,
        set_by=by,
    )
    check(rules)
    rules.text = tokens.keep(establishment.pk, text) if text.strip() else ""
    return rules


def next_version(establishment: Establishment, game: str) -> int:
    rows = HouseRules.objects.filter(establishment=establishment, game=game)
    return (rows.aggregate(last=Max("version"))["last"] or 0) + 1


def check(rules: HouseRules) -> None:
    """
    Check house rules by letting the game's own rules decide an opening with them.

    :raises ValidationError: by field: options, fee or home_throws.
    """
    form = OPENINGS[rules.game]
    if rules.home_throws != HouseRules.HomeThrows.NONE and not form.homes:
        raise ValidationError({"home_throws": "This game knows no home throws."})
    if "homes" in rules.options:
        raise ValidationError({"options": "homes is said by home_throws: players. H1"})
    if rules.fee is not None and rules.fee.get("kind") not in form.fees:
        raise ValidationError({"fee": "This game takes no such fee. G6"})
    try:
        _try(rules, fee=None)
    except (Refused, Malformed) as refused:
        raise ValidationError({"options": str(refused)}) from None
    if rules.fee is None:
        return
    if not opening_forms.is_for_money(form, rules.options):
        raise ValidationError({"fee": "No money is played under these options: no fee. G6"})
    try:
        _try(rules, fee=rules.fee)
    except (Refused, Malformed) as refused:
        raise ValidationError({"fee": str(refused)}) from None


def _try(rules: HouseRules, *, fee: Mapping[str, Any] | None) -> None:
    """Decide the opening of a game of two with these rules, without recording it."""
    ruleset = catalogue.current(rules.game)
    raw = _trial(rules) | ({"fee": dict(fee)} if fee else {})
    raw["options"] = with_worth_of_point(rules.establishment, raw["options"])
    vocabulary.shape(raw)
    command = ruleset.parse("open", vocabulary.read(raw))
    ruleset.decider.decide(command, ruleset.decider.initial)
    check_terms(rules.establishment, raw["options"], fee)


def _trial(rules: HouseRules) -> dict[str, Any]:
    return {
        "do": "open",
        "game": rules.game,
        "players": ["Ada", "Bo"],
        "stake": TRIAL_STAKE,
        **_name_choices(_fill({}, rules)),
    }


def dice_needed(rules: HouseRules) -> DiceNeeded:
    """The dice that a game of two needs on the table by these rules."""
    return catalogue.current(rules.game).dice(vocabulary.read(_trial(rules)))


def terms(
    *, establishment: Establishment, requested: Mapping[str, Any], role: str, at: datetime
) -> Terms:
    """
    What the house rules add to an opening, after checking that the opening conforms to them.

    :param requested: the command's fields, as the vocabulary has read them.
    :param role: the role of the person who opens the game.
    :raises RulesNotPublished: if the house plays by published rules and has none for the game. A4
    :raises NotPlayedHere: if the game is not played at the house.
    :raises FeeNotAnnounced: if the opening names a fee that is not the house's. A5
    :raises NotTheHousesRules: if an option deviates, and the role does not allow that.
    """
    game = requested["game"]
    seen = {STREAM: changes.version_of(establishment.pk, STREAM)}  # first, so a change is noticed
    rules = in_force(establishment=establishment, game=game, at=at)
    if rules is None:
        if establishment.publishes_rules:
            raise RulesNotPublished(
                f"This house has published no rules of {game}: a manager publishes them under"
                " Settings. A4"
            )
        options = with_worth_of_point(establishment, requested.get("options", {}))
        fields = {"options": options} if options else {}
        return Terms(fields=fields | _without_home_throws(requested), seen=seen)
    if not rules.played:
        raise NotPlayedHere(f"{game} is not played at this house: choose another game. A4")
    filled = _fill(requested, rules)
    filled["options"] = with_worth_of_point(establishment, filled["options"])
    _check_allowed(requested, rules, role)
    fee = _fee(requested, rules, filled)
    deviates = [name for name, _value, _usual in _differing(requested, rules)]
    pinned = {"id": str(rules.pk), "version": rules.version}
    return Terms(
        fields={**filled, "fee": fee},
        pinned={**pinned, "deviates": deviates} if deviates else pinned,
        seen=seen,
    )


def _fee(
    requested: Mapping[str, Any], rules: HouseRules, filled: Mapping[str, Any]
) -> Mapping[str, Any] | None:
    """The fee of an opening: the house's fee if the game is played for money, otherwise None."""
    paid = opening_forms.is_for_money(OPENINGS[rules.game], filled["options"])
    fee: Mapping[str, Any] | None = rules.fee if paid else None
    named = requested.get("fee")
    if named is not None and named != fee:
        raise FeeNotAnnounced(
            f"fee: the house takes {in_words(fee)} here (rules {rules.version}), nothing else. A5"
        )
    return fee


def may_deviate(rules: HouseRules, role: str) -> bool:
    """Whether somebody of this role may open a game with other options than the house's."""
    return role in MAY_DEVIATE[rules.deviations]


def _check_allowed(requested: Mapping[str, Any], rules: HouseRules, role: str) -> None:
    if may_deviate(rules, role):
        return
    for name, value, usual in _differing(requested, rules):
        who = "" if rules.deviations == HouseRules.Deviations.NOBODY else " Ask a supervisor."
        raise NotTheHousesRules(
            f"{name} is {_write(value)}, the house plays {_write(usual)}"
            f" (rules {rules.version}).{who}"
        )


def _differing(requested: Mapping[str, Any], rules: HouseRules) -> list[tuple[str, Any, Any]]:
    """The deviations of an opening from the house rules: (name, its value, the house's value)."""
    form = OPENINGS[rules.game]
    named = requested.get("options", {})
    standing = with_worth_of_point(rules.establishment, rules.options)
    found = []
    for option in form.options:
        usual = standing.get(option.name, option.default)
        value = named.get(option.name, usual)
        if value != usual:
            found.append((f"options.{option.name}", value, usual))
    homes = _homes(requested)
    if form.homes and homes not in {None, rules.home_throws}:
        found.append(("home_throw", homes, rules.home_throws))
    return found


def _fill(requested: Mapping[str, Any], rules: HouseRules) -> dict[str, Any]:
    """Options and home throws of an opening: from the command, or else from the house rules."""
    options = {**rules.options, **requested.get("options", {})}
    filled: dict[str, Any] = {"options": options}
    homes = _homes(requested)
    if homes is None and OPENINGS[rules.game].homes:
        homes = rules.home_throws
        if homes == HouseRules.HomeThrows.PLAYERS:
            options["homes"] = "players"
        policies = {"house": "fixed", "attendant": "attendant"}
        filled["home_throw_policy"] = policies.get(homes)
    return filled | _without_home_throws(requested)


def _homes(requested: Mapping[str, Any]) -> str | None:
    """The source of the home throws that an opening names; None if it names none."""
    if requested.get("options", {}).get("homes") == "players":
        return HouseRules.HomeThrows.PLAYERS
    match requested.get("home_throw_policy"):
        case "attendant":
            return HouseRules.HomeThrows.ATTENDANT
        case "none":
            return HouseRules.HomeThrows.NONE
        case "fixed" if "home_throw" not in requested:
            return HouseRules.HomeThrows.HOUSE
        case _:
            return "its own" if "home_throw" in requested else None


def _without_home_throws(requested: Mapping[str, Any]) -> dict[str, Any]:
    """Remove the policy ``none``, which means no home throw, before the game's rules see it."""
    return {"home_throw_policy": None} if requested.get("home_throw_policy") == "none" else {}


def _unusual(form: Opening, house: Establishment, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options without those that have the default of the game's rules at this house."""
    usual = {option.name: option.default for option in form.options}
    if worth_of_point(house, {}) != USUAL_WORTH:
        del usual[UNIT]
    return {
        name: value
        for name, value in options.items()
        if name not in usual or value != usual[name] or type(value) is not type(usual[name])
    }


def _in_integers(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields with 5 where JSON has 5.0: a record has no such numbers."""
    return {
        name: int(each) if isinstance(each, float) and each.is_integer() else each
        for name, each in fields.items()
    }


def _name_choices(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _write(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def fee_text(fee: Mapping[str, Any] | None) -> str:
    """A fee in the reader's language and the house's money: "a rake of 5 percent, at most 3 r"."""
    return translate(in_words(fee, written=money))


# --- The pieces in which it is counted out (G11) --------------------------------------------------
#
# A point is worth the smallest piece, unless the rules of the game say otherwise. What pieces make
# is said in `games.pieces`.


USUAL_WORTH: Final = 1  # coins of a point by the rules alone


def worth_of_point(house: Establishment, options: Mapping[str, Any]) -> int:
    """What a point is worth at a house, with these options of its rules or of an opening."""
    chosen: int | None = options.get(UNIT)
    return smallest(house.denominations) if chosen is None else chosen


def with_worth_of_point(house: Establishment, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options with what a point is worth; without it where that is as in the rules alone."""
    worth = worth_of_point(house, options)
    return {**options, UNIT: worth} if worth != USUAL_WORTH else dict(options)


def check_amount(house: Establishment, amount: int, *, field: str) -> None:
    """:raises NotInPieces: if no pieces make an amount."""
    pieces.check_amount(values(house.denominations), amount, field=field)


def check_adjusted(house: Establishment, amount: int, options: Mapping[str, Any]) -> None:
    """
    Check an amount that sets a game right, unless that game was played for less than pieces make.

    :raises NotInPieces: if no pieces make it.
    """
    if pieces.can_make(values(house.denominations), options.get(UNIT, USUAL_WORTH)):
        check_amount(house, amount, field="amount")


def check_terms(
    house: Establishment, options: Mapping[str, Any], fee: Mapping[str, Any] | None
) -> None:
    """:raises NotInPieces: if no pieces make a point, or an amount of the fee."""
    worth, listed = worth_of_point(house, options), values(house.denominations)
    check_amount(house, worth, field=f"options.{UNIT}")
    for name, amount in (fee or {}).items():
        if name in fees.AMOUNTS and fees.AMOUNTS[name].money:
            pieces.check_in_points(listed, amount, worth, field=f"fee.{name}")


def check_opening(house: Establishment, fields: Mapping[str, Any]) -> None:
    """
    Check the amounts of a command that opens a game.

    :param fields: the command's, as the vocabulary has read them.
    :raises NotInPieces: if one of them cannot be counted out.
    """
    options = fields.get("options", {})
    check_terms(house, options, fields.get("fee"))
    pieces.check_brought(values(house.denominations), fields, options.get(UNIT, USUAL_WORTH))


# --- Refusals of an opening, in the words of its form ---------------------------------------------
#
# The rules and the house name an option as a command does (``options.runs is wrap``), and the
# ledger keeps that sentence: an API knows no other name. A person at the form sees the option's
# label.


HOME: Final = "home_throw"
DEVIATES: Final = re.compile(
    r"(?:options\.)?(?P<name>\w+) is (?P<value>[^,]+),"
    r" the house plays (?P<usual>[^(]+) \(rules (?P<version>\d+)\)\.(?P<more>.*)"
)  # casino.house.home_throws.house_rules
NO_SUCH_VALUE: Final = re.compile(
    r"options\.(?P<name>\w+) is (?P<value>[^:]+): choose (?P<allowed>.+)\."
)  # games.kinds
SPAN: Final = re.compile(r"a whole number from (?P<least>\d+) to (?P<most>\d+)")
WHOLE: Final = re.compile(r"-?\d{1,18}")
ITS_OWN: Final = gettext_lazy("one of this game alone")


def refusal_in_words(game: str, sentence: str, context: str = CONTEXT) -> str:
    """
    A refusal in the reader's language, with options and their values as the form has them.

    :param game: the ruleset's id; a sentence about no option of it is translated as it is.
    :param context: as of `casino.words.languages.messages.translate`.
    """
    if found := DEVIATES.fullmatch(sentence):
        value = partial(_value_in_words, game, found["name"])
        said = _(
            "%(option)s: here “%(value)s”, the house plays “%(usual)s” (rules %(version)s)."
        ) % {
            "option": label_of_option(game, found["name"]),
            "value": value(found["value"]),
            "usual": value(found["usual"]),
            "version": found["version"],
        }
        return f"{said} {translate(found['more'].strip())}".rstrip()
    if found := NO_SUCH_VALUE.fullmatch(sentence):
        value = partial(_value_in_words, game, found["name"])
        return _("%(option)s: choose %(allowed)s.") % {
            "option": label_of_option(game, found["name"]),
            "allowed": ", ".join(value(each) for each in found["allowed"].split(", ")),
        }
    return translate(sentence, context)


def label_of_option(game: str, name: str) -> str:
    """The label of an option on the form, by its name alone or as ``options.name``."""
    name = name.removeprefix("options.")
    if name == HOME:
        return _("Home throw")
    found = _option_of_form(game, name)
    return str(found.label) if found else name


def _value_in_words(game: str, name: str, written: str) -> str:
    if name == HOME:
        return str(dict(HouseRules.HomeThrows.choices).get(written, ITS_OWN))
    found, plain = _option_of_form(game, name), written.strip("'")
    if found is None:
        return plain
    for choice in found.choices:
        if choice.written == plain.lower():
            return str(choice.label)
    amount = money if found.numbers and found.numbers.money else str
    if span := SPAN.fullmatch(plain):
        return _numbers_in_words(found, int(span["least"]), int(span["most"]), amount)
    return amount(int(plain)) if WHOLE.fullmatch(plain) else plain


def _numbers_in_words(option: Option, least: int, most: int, amount: Callable[[int], str]) -> str:
    """The numbers that the rules allow; one of them may be a choice of its own, as 0 for none."""
    named = [str(each.label) for each in option.choices if each.value == least]
    first = amount(least + bool(named))
    if most == COINS_MAX:
        rest = _("%(least)s or more") % {"least": first}
    else:
        rest = _("from %(least)s to %(most)s") % {"least": first, "most": amount(most)}
    return ", ".join([*named, rest])


def _option_of_form(game: str, name: str) -> Option | None:
    form = OPENINGS.get(game)
    return next((each for each in form.options if each.name == name), None) if form else None
