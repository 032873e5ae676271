"""
House rules: the options, fee and home throws of each game, published and in force from a moment.

What the opening of a game leaves out is filled in from the house rules. What differs from them is a
deviation, which the house allows or refuses. The fee cannot deviate: it is taken as announced (A5).
An open game keeps the rules that its opening pinned (A4).
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NotRequired, TypedDict, Unpack

from django.core.exceptions import ValidationError
from django.db.models import Max

from casino.house.acts import changes
from casino.house.acts.game_streams import catalogue
from casino.house.attendants.models import Role
from casino.house.attendants.pseudonyms import tokens
from casino.house.establishments.models import HouseRules
from casino.house.home_throws.house_rules import pieces
from casino.words.languages.amounts import money
from casino.words.languages.messages import translate
from casino.words.presenters.opening import OPENINGS, reading
from casino.words.presenters.opening.fields import UNIT
from games import vocabulary
from games.fees import in_words
from games.refusals import Malformed, Refused

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from casino.house.attendants.models import Attendant
    from casino.house.establishments.models import Establishment
    from casino.words.presenters.opening.fields import Opening
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
    if not reading.is_for_money(form, rules.options):
        raise ValidationError({"fee": "No money is played under these options: no fee. G6"})
    try:
        _try(rules, fee=rules.fee)
    except (Refused, Malformed) as refused:
        raise ValidationError({"fee": str(refused)}) from None


def _try(rules: HouseRules, *, fee: Mapping[str, Any] | None) -> None:
    """Decide the opening of a game of two with these rules, without recording it."""
    ruleset = catalogue.current(rules.game)
    raw = _trial(rules) | ({"fee": dict(fee)} if fee else {})
    raw["options"] = pieces.complete(rules.establishment, raw["options"])
    vocabulary.shape(raw)
    command = ruleset.parse("open", vocabulary.read(raw))
    ruleset.decider.decide(command, ruleset.decider.initial)
    pieces.check_terms(rules.establishment, raw["options"], fee)


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
        options = pieces.complete(establishment, requested.get("options", {}))
        fields = {"options": options} if options else {}
        return Terms(fields=fields | _without_home_throws(requested), seen=seen)
    if not rules.played:
        raise NotPlayedHere(f"{game} is not played at this house: choose another game. A4")
    filled = _fill(requested, rules)
    filled["options"] = pieces.complete(establishment, filled["options"])
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
    paid = reading.is_for_money(OPENINGS[rules.game], filled["options"])
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
    standing = pieces.complete(rules.establishment, rules.options)
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
    if pieces.unit(house, {}) != pieces.USUAL:
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
