"""The form that opens a game, as the page shows it: blank, or with what was sent."""

from __future__ import annotations

import re
import uuid
from itertools import zip_longest
from typing import TYPE_CHECKING, Any
from uuid import uuid5

from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _

from casino.floor.players import waiting_pages
from casino.floor.tables import seating
from casino.house.acts import acts
from casino.house.acts.game_streams.loading import load
from casino.house.attendants.pseudonyms import tokens
from casino.house.home_throws import house_rules
from casino.house.home_throws.operations import in_force
from casino.play.devices import entries
from casino.play.settlement import subscriber
from casino.words.languages.amounts import as_typed, coin_decimals, money, read
from casino.words.presenters import TITLES, fees, opening_forms
from casino.words.presenters.opening_forms import AMOUNT, UNIT, read_number
from casino.words.presenters.registered import forms_of_games, opening_form
from games.refusals import Refused

if TYPE_CHECKING:
    from casino.house.acts.game_streams.loading import GameKey, Loaded
    from casino.house.establishments.models import HouseRules, Table
    from casino.play.devices.entries import Device
    from casino.words.presenters.opening_forms import Opening, Option, Value

SEATS_AT_FIRST = 6  # where scripts run, the page removes those that are not needed
EMPTY_SEAT = {"name": "", "stake": "", "home": ""}


def blank(table: Table, game: str = "", *, free: bool = False) -> dict[str, Any]:
    """
    The empty form.

    :param free: start without money, as no money may be played at the table now; if no game was
        chosen, with one that can be played so.
    """
    form = _offer_game(table, game, free=free)
    filled = of_the_house(table, form)
    for option in form.main if free else ():
        if (choice := _unpaid(option)) is not None:
            filled.update(option.posted(choice))
    return _form(table, form, filled, home=_usual_home(table, form))


def _unpaid(option: Option) -> Value | None:
    """The first choice of an option with which no money is played; None if there is none."""
    return next((each.value for each in option.choices if not each.paid), None)


def of_the_house(table: Table, form: Opening) -> QueryDict:
    """A form with the choices of the house's rules; antes that these do not set are left to it."""
    filled = QueryDict(mutable=True)
    standing = standing_at(table, rules_of(table, form.game))
    for option in form.options:
        if option.limited and option.name not in standing:
            continue  # it begins within the table's limits
        filled.update(option.posted(standing.get(option.name, option.default)))
    return filled


def standing_at(table: Table, rules: HouseRules | None) -> dict[str, Value]:
    """The options that hold if nobody chooses others, without those of the game's own rules."""
    return house_rules.with_worth_of_point(table.establishment, rules.options if rules else {})


def rules_of(table: Table, game: str) -> HouseRules | None:
    """The house's rules that are in force for a game."""
    return house_rules.in_force(establishment=table.establishment, game=game, at=timezone.now())


def _usual_home(table: Table, form: Opening) -> str:
    rules = rules_of(table, form.game)
    return str(rules.home_throws) if rules else home_throws(table, form.game)[0]["value"]


def _offer_game(table: Table, game: str, *, free: bool) -> Opening:
    """The game that was chosen, or the first that this house offers."""
    played = house_rules.games_offered(table.establishment, timezone.now())
    if game in played:
        return opening_form(game)
    mine = [each for each in forms_of_games() if each.game in played]
    unpaid = [each for each in mine if any(_unpaid(of) is not None for of in each.main)]
    return next(iter((free and unpaid) or mine), opening_form(game))


def form_as_sent(table: Table, posted: QueryDict) -> dict[str, Any]:
    """The form as it was sent, for a second try under a new command id."""
    form = opening_form(posted.get("game", ""))
    return _form(table, form, posted, home=posted.get("home_throw", "none"))


def describe_refusal(table: Table, posted: QueryDict, sentence: str) -> str:
    """Why the form was refused, with options and values as the form has them."""
    form = opening_form(posted.get("game", ""))
    named = tokens.resolve_text(table.establishment_id, sentence)
    return house_rules.refusal_in_words(form.game, named)


def form_of_other_game(table: Table, posted: QueryDict, game: str) -> dict[str, Any]:
    """The form of another game for the same people, without what only the last game asked for."""
    before, form = opening_form(posted.get("game", "")), opening_form(game)
    kept = posted.copy()
    if posted.get("stake") == as_typed(stake(table, before, _point(table, before, posted))):
        kept.pop("stake")
    for name in [name for name in kept if name == "price" or name.startswith("option-")]:
        kept.pop(name)
    for name, values in of_the_house(table, form).lists():
        kept.setlist(name, values)
    home = posted.get("home_throw", _usual_home(table, form))
    return _form(table, form, kept, home=home)


def form_with_last_seats(table: Table, posted: QueryDict) -> dict[str, Any]:
    """The form with the seats of the table's last game, filled in as they were there."""
    form = opening_form(posted.get("game", ""))
    kept = posted.copy()
    for name in ("seat-stake", "home", "first", "house_seat"):
        kept.pop(name, None)
    last = seating.again(table, now=timezone.now())
    if last is not None:
        sits = form.house_seat or not last.house  # RV1: the house holds no seat in every game
        kept.setlist("player", last.names if sits else last.names[:-1])
        kept["house_seat"] = "1" if last.house and sits else ""
        if last.stake is not None and last.game == form.game:
            kept["stake"] = as_typed(last.stake)
    return _form(table, form, kept, home=posted.get("home_throw", "none"))


def form_of_game(table: Table, loaded: Loaded) -> dict[str, Any]:
    """The form filled in as a game was opened (`fill_form`)."""
    form, posted = opening_form(loaded.ruleset.id), fill_form(loaded)
    return _form(table, form, posted, home=_usual_home(table, form))


def stake(table: Table, form: Opening, point: int) -> int:
    """The initial value of the stake, in whole points."""
    least = table.stake_min if form.limited else None
    return (
        opening_forms.in_points(least, point) if least else opening_forms.propose(form.stake, point)
    )


def bound_by_rules(table: Table, form: dict[str, Any], role: str) -> dict[str, Any]:
    """The form without choices that would be refused: where this role may not deviate (A4)."""
    rules = rules_of(table, form["game"]["id"])
    if rules is None or house_rules.may_deviate(rules, role):
        return form
    for each in (*form["main"], *form["options"]):
        each["bound"] = True
        for choice in each.get("choices", ()):
            choice["refused"] = choice["value"] != each["usual"]
    for choice in form["home_throws"]:
        choice["refused"] = choice["value"] != rules.home_throws
    return {**form, "bound": rules.deviations}


def _price(table: Table, form: Opening, point: int) -> int | None:
    """The initial value of the price, in whole points; None: the game has no price."""
    if form.price is None:
        return None
    least = table.stake_min
    return (
        opening_forms.in_points(least, point) if least else opening_forms.propose(form.price, point)
    )


def _point(table: Table, form: Opening, posted: QueryDict) -> int:
    """What a point is worth with the choices in a form; as at the house if that is no amount."""
    [option] = [each for each in form.options if each.name == UNIT]
    chosen = opening_forms.value_of(option, posted) if f"option-{UNIT}-amount" in posted else None
    usual = house_rules.worth_of_point(
        table.establishment, standing_at(table, rules_of(table, form.game))
    )
    return chosen if type(chosen) is int and chosen > 0 else usual


def _form(table: Table, form: Opening, posted: QueryDict, *, home: str) -> dict[str, Any]:
    seated = seats(posted)
    first = posted.get("first", "")
    fee = posted.get("fee", "")
    rules = rules_of(table, form.game)
    paid = opening_forms.for_money(form, posted)
    point = _point(table, form, posted)
    standing = standing_at(table, rules)
    main, folded = (
        [_option(option, posted, table, standing, point) for option in options]
        for options in (form.main, form.folded)
    )
    now = timezone.now()
    waits = waiting_pages.lines(table.establishment, now, form.game)
    return {
        "rules": _rules_summary(rules),
        "point": _point_in_words(form, point) if paid else "",
        "game": {"id": form.game, "title": TITLES[form.game], "line": form.line},
        "games": [_card(each, chosen=each is form) for each in _cards(table, form)],
        "command_id": str(uuid.uuid4()),
        "players": [*seated, *[EMPTY_SEAT] * (SEATS_AT_FIRST - len(seated))],
        "again": seating.again(table, now=now),
        "waiting": [each for line in waits for each in line.places if not each.barred],
        "recent": seating.suggest(table, "", now=now, playing=seating.running(table)),
        "steps": opening_forms.chip_steps(
            table.establishment.denominations,
            table.stake_max if form.limited else None,
            unit=point,
        ),
        "first": int(first) if first.isascii() and first.isdigit() else None,
        "house_seat": bool(posted.get("house_seat")),
        "asks": form,
        "stake": posted.get("stake", as_typed(stake(table, form, point))),
        "price": posted.get("price", as_typed(_price(table, form, point))),
        "limits": limits(table),
        "currency": table.establishment.currency_symbol,
        "home_throws": home_throws(table, form.game) if form.homes else [],
        "home_throw": home,
        "fees": _fees(form),
        "fee": fee,
        "fee_amounts": _fee_amounts(posted, table.establishment.currency_symbol),
        "main": main,
        "options": folded,
        "options_open": (fee in form.fees and rules is None)
        or any(option["differs"] for option in folded),
    }


def _cards(table: Table, form: Opening) -> list[Opening]:
    """The games that this house offers; at least the one of this form."""
    played = house_rules.games_offered(table.establishment, timezone.now())
    return [each for each in forms_of_games() if each.game in played or each is form]


def _rules_summary(rules: HouseRules | None) -> dict[str, Any] | None:
    """The house's rules in a line: their version, their fee, the text on the wall."""
    if rules is None:
        return None
    return {
        "version": rules.version,
        "since": rules.effective_from,
        "fee": house_rules.fee_text(rules.fee),
        "text": tokens.resolve(rules.establishment_id, rules.text),
    }


def _card(form: Opening, *, chosen: bool) -> dict[str, Any]:
    return {
        "id": form.game,
        "title": TITLES[form.game],
        "line": form.line,
        "sample_dice": form.sample_dice,
        "owned": form.owned,
        "chosen": chosen,
    }


def _option(
    option: Option, posted: QueryDict, table: Table, standing: dict[str, Value], point: int
) -> dict[str, Any]:
    """
    An option with its choices as the form shows them; a free amount is the last choice.

    `coins`: what its points come to, as a form has an amount.
    """
    usual = option.written(standing.get(option.name, option.default))
    value, amount = opening_forms.choice_of(option, posted)
    if option.limited and f"option-{option.name}-amount" not in posted:
        amount = str(_least_points(table, option, standing, point))
    counted = opening_forms.read_number(amount) if option.numbers and option.numbers.points else ""
    coins = as_typed(counted * point) if type(counted) is int and _needs_words(point) else ""
    if not option.choices:
        return {"option": option, "amount": amount, "coins": coins, "differs": amount != usual}
    choices = [
        {"value": each.written, "label": each.label, "help": each.help, "paid": each.paid}
        for each in option.choices
    ]
    if (numbers := option.numbers) is not None:
        more = {"value": AMOUNT, "label": numbers.label, "help": numbers.help, "paid": True}
        choices.append({**more, "numbers": True})
    return {
        "option": option,
        "choices": choices,
        "value": value,
        "amount": amount,
        "coins": coins,
        "usual": usual if usual in {each["value"] for each in choices} else AMOUNT,
        "differs": usual not in {value, amount if value == AMOUNT else value},
    }


def _least_points(table: Table, option: Option, standing: dict[str, Value], point: int) -> int:
    """The initial value of an ante, in points: the usual, or what the table's least makes."""
    usual = standing.get(option.name, option.default)
    least = -(-(table.stake_min or 1) // point)
    return max(usual if type(usual) is int else 1, least)


def _needs_words(point: int) -> bool:
    """Whether what a point is worth is not just one coin, which needs no words."""
    return point != 1 or coin_decimals() > 0


def _point_in_words(form: Opening, point: int) -> str:
    """What a point is worth, with what it makes something of the game cost; "" for one coin."""
    if not _needs_words(point):
        return ""
    worth = _("A point is worth %(point)s.") % {"point": money(point)}
    return f"{worth} {form.example_at(point)}".strip()


def limits(table: Table) -> str:
    """The stakes, antes or prices that a table takes, in words (G10)."""
    bounds = {"least": money(table.stake_min), "greatest": money(table.stake_max)}
    match table.stake_min is not None, table.stake_max is not None:
        case True, True:
            return _("%(least)s to %(greatest)s at this table") % bounds
        case True, False:
            return _("%(least)s or more at this table") % bounds
        case False, True:
            return _("at most %(greatest)s at this table") % bounds
        case _:
            return ""


def home_throws(table: Table, game: str) -> list[dict[str, Any]]:
    throw = in_force(establishment=table.establishment, at=timezone.now(), game=game)
    fixed = {"value": "house", "label": _("The house's own"), "dice": throw.faces if throw else ()}
    return [
        *([fixed] if throw else []),
        {
            "value": "attendant",
            "label": _("Thrown by the attendant"),
            "help": _("The first junk hand is the home throw of this game. H2"),
        },
        {
            "value": "players",
            "label": _("Each player's own"),
            "help": _("Written beside the name; each counts for everybody."),
        },
        {"value": "none", "label": _("None")},
    ]


def _fees(form: Opening) -> list[dict[str, Any]]:
    """The kinds of fees that the house may take, each with the amounts that it needs."""
    return [
        {"value": kind, "label": label, "asks": " ".join(fees.fields(kind))}
        for kind, label in fees.choices(form.fees)
    ]


def _fee_amounts(posted: QueryDict, currency: str) -> list[dict[str, str]]:
    return [
        {
            "name": f"fee-{name}",
            "value": posted.get(f"fee-{name}", ""),
            "unit": amount.unit % {"currency": currency},
        }
        for name, amount in fees.AMOUNTS.items()
    ]


# The ``open`` command of a filled form.


POLICIES = {"house": "fixed", "attendant": "attendant"}
FIGURES_MAX = 20  # of a home throw as written; the rules check how many it needs


def command(posted: QueryDict, rules: HouseRules | None = None) -> dict[str, Any]:
    """
    An ``open`` command, with only the fields that the game asks for.

    :param rules: the house's rules for the game: the options that they set are sent only if the
        form has another value, and they alone set the fee.
    """
    form = opening_form(posted.get("game", ""))
    standing = rules.options if rules else {}
    seated = seats(posted)
    own_homes = form.homes and posted.get("home_throw") == "players"
    paid = opening_forms.for_money(form, posted)
    raw: dict[str, Any] = {
        "command_id": posted.get("command_id", ""),
        "game": posted.get("game", form.game),
        "players": _players(form, posted, seated, own_homes=own_homes, paid=paid),
        "options": opening_forms.read_options(form, posted, standing)
        | ({"homes": "players"} if own_homes else {}),
    }
    policies = POLICIES if rules is None else {**POLICIES, "none": "none"}
    if form.homes and (policy := policies.get(posted.get("home_throw", ""))):
        raw["home_throw_policy"] = policy
    if paid:
        raw |= _money(form, posted)
        if rules is None and (fee := opening_forms.read_fee(form, posted)) is not None:
            raw["fee"] = fee
    if form.first and (first := _first(posted, seated)):
        raw["first"] = first
    return raw


def seats(posted: QueryDict) -> list[dict[str, str]]:
    """The seats as they were filled in, empty ones included: name, own stake and own home throw."""
    names, stakes, homes = (
        [written.strip() for written in posted.getlist(field)]
        for field in ("player", "seat-stake", "home")
    )
    columns = zip_longest(names, stakes[: len(names)], homes[: len(names)], fillvalue="")
    return [{"name": name, "stake": stake, "home": home} for name, stake, home in columns]


def _players(
    form: Opening,
    posted: QueryDict,
    seated: list[dict[str, str]],
    *,
    own_homes: bool,
    paid: bool,
) -> list[dict[str, Any]]:
    players = []
    for seat in seated:
        if seat["name"]:
            player: dict[str, Any] = {"name": seat["name"]}
            if form.each and paid and seat["stake"]:
                player["stake"] = read(seat["stake"])
            if own_homes and seat["home"]:
                player["home_throw"] = faces(seat["home"])
            players.append(player)
    if form.house_seat and posted.get("house_seat") and players:
        players[-1]["house"] = True
    return players


def faces(written: str) -> list[int]:
    """The faces of a home throw as people write them: 1-3-6, 1 3 6, 136."""
    apart = re.findall(r"\d+", written, re.ASCII)[:FIGURES_MAX]
    return [int(face[:FIGURES_MAX]) for face in (apart[0] if len(apart) == 1 else apart)]


def _money(form: Opening, posted: QueryDict) -> dict[str, Any]:
    """The stakes, and the price of the dice."""
    written = {name: posted.get(name, "").strip() for name in ("stake", "price")}
    raw: dict[str, Any] = {"stake": read(written["stake"])} if written["stake"] else {}
    if form.price is not None and written["price"]:
        raw["price"] = read(written["price"])
    return raw


def _first(posted: QueryDict, seated: list[dict[str, str]]) -> str | None:
    chosen = read_number(posted.get("first", ""))
    if isinstance(chosen, int) and chosen < len(seated):
        return seated[chosen]["name"]
    return None


# A game that was opened wrongly, before any throw: it is closed, its stakes are handed back, and
# the form is filled in as it was opened, for the one thing that was wrong (G9).


REASON = "opened wrongly"


class AlreadyPlayed(Refused):
    code = "already_played"


def close(key: GameKey, device: Device) -> None:
    """
    Close a game that nobody has thrown in, and hand every stake back.

    Done again after it was cut off, it goes on where it ended: its commands' ids come from the
    game's own.

    :raises Refused: if a throw stands, or the rules or the house refuse one of the commands.
    :raises NotRecording: if another device records the game.
    """
    loaded = load(key)
    if any(fact.is_throw for _number, fact in loaded.live):
        raise AlreadyPlayed(_("Somebody has thrown: void the throws first, or close the game. G4"))
    put(device, key, {"do": "close", "reason": REASON})
    subscriber.book_at_once(key)
    for player, stake in load(key).stakes.items():
        if stake:
            name = tokens.resolve(key.establishment, player)
            put(device, key, {"do": "cash_out", "player": name, "amount": stake})


def put(device: Device, key: GameKey, raw: dict[str, Any]) -> None:
    told = f"anew/{raw['do']}/{raw.get('player', '')}"
    answer = entries.put_form(device, {**raw, "command_id": str(uuid5(key.game, told))})
    if answer.refusal is not None:
        detail = tokens.resolve_text(key.establishment, answer.refusal.detail)
        raise acts.WasRefused(answer.refusal.code, detail)


def fill_form(loaded: Loaded) -> QueryDict:
    """The form that opens a game, as this one was opened."""
    form = opening_form(loaded.ruleset.id)
    data = tokens.resolve(loaded.key.establishment, dict(loaded.opening.data))
    posted = QueryDict(mutable=True)
    posted["game"] = form.game
    for option in form.options:
        value = data["options"].get(option.name, option.default)
        posted.update(option.posted(value))
    _seats(posted, form, data)
    if data.get("price"):
        posted["price"] = as_typed(data["price"])
    if (fee := data.get("fee")) is not None:
        posted["fee"] = fee["kind"]
        for name in fees.fields(fee["kind"]):
            amount = name.removeprefix("fee-")
            money = fees.AMOUNTS[amount].money
            posted[name] = as_typed(fee[amount]) if money else str(fee[amount] or "")
    return posted


def _seats(posted: QueryDict, form: Opening, data: dict[str, Any]) -> None:
    """The seats, the house's last as on the form, and who throws first."""
    seats = sorted(data["players"], key=lambda seat: bool(seat["house"]))
    posted.setlist("player", [seat["name"] for seat in seats])
    stakes = {seat["stake"] for seat in seats}
    if len(stakes) == 1:
        posted["stake"] = as_typed(stakes.pop())
    else:
        posted.setlist("seat-stake", [as_typed(seat["stake"]) for seat in seats])
    if form.house_seat and seats[-1]["house"]:
        posted["house_seat"] = "1"
    names = [seat["name"] for seat in seats]
    if form.first and data.get("first") in names and data["first"] != data["players"][0]["name"]:
        posted["first"] = str(names.index(data["first"]))
