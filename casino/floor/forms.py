"""Opening a game: the form, and the command it says."""

from __future__ import annotations

import re
import uuid
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from django.utils import timezone
from django.utils.translation import gettext as _

from casino.floor.posted import number
from casino.home_throws.operations import in_force

if TYPE_CHECKING:
    from django.http import QueryDict

    from casino.establishments.models import Table

SEATS_SHOWN = 6  # where scripts run, the page takes away those that nobody needs
AMOUNT = "amount"  # the choice behind which a number stands
FEES = {
    "rake": ("fee-percent", "fee-cap"),
    "seat": ("fee-amount",),
    "time": ("fee-amount", "fee-minutes"),
}
FEE_FIELDS = tuple(dict.fromkeys(name for names in FEES.values() for name in names))


def opening_command(posted: QueryDict) -> dict[str, Any]:
    """An ``open`` command from the form that opens a game."""
    mode = posted.get("mode", "pool")
    own_homes = posted.get("home_throw") == "players"
    seated = seats(posted)
    players: list[dict[str, Any]] = [
        {"name": seat["name"]}
        | ({"home_throw": faces(seat["home"])} if own_homes and seat["home"] else {})
        for seat in seated
        if seat["name"]
    ]
    if posted.get("house_seat") and players:
        players[-1]["house"] = True
    raw: dict[str, Any] = {
        "command_id": posted.get("command_id", ""),
        "game": posted.get("game", ""),
        "players": players,
        "options": {"mode": mode, **_options(posted)},
        **_home_throw(posted.get("home_throw", "none")),
    }
    if own_homes:
        raw["options"]["homes"] = "players"
    if mode == "pool":
        raw |= _money(posted)
    if (first := _first(posted, [seat["name"] for seat in seated])) is not None:
        raw["first"] = first
    return raw


def seats(posted: QueryDict) -> list[dict[str, str]]:
    """The seats as they were filled in, empty ones too: a name and a home throw of one's own."""
    names = [name.strip() for name in posted.getlist("player")]
    homes = [home.strip() for home in posted.getlist("home")]
    return [
        {"name": name, "home": home}
        for name, home in zip_longest(names, homes[: len(names)], fillvalue="")
    ]


def faces(written: str) -> list[int]:
    """The faces of a home throw as people write them: 1-3-6, 1 3 6, 136."""
    apart = re.findall(r"\d+", written)
    return [int(face) for face in (apart[0] if len(apart) == 1 else apart)]


def _money(posted: QueryDict) -> dict[str, Any]:
    """What is staked and what the house takes (G6)."""
    given = {name: posted.get(name, "").strip() for name in ("stake", *FEE_FIELDS)}
    raw: dict[str, Any] = {"stake": number(given["stake"])} if given["stake"] else {}
    kind = posted.get("fee", "")
    if kind in FEES:
        raw["fee"] = {"kind": kind} | {
            name.removeprefix("fee-"): number(given[name]) for name in FEES[kind] if given[name]
        }
    return raw


def _first(posted: QueryDict, seated: list[str]) -> str | None:
    chosen = posted.get("first", "")
    seat = int(chosen) if chosen.isascii() and chosen.isdigit() else -1
    return seated[seat] if 0 <= seat < len(seated) and seated[seat] else None


def _home_throw(chosen: str) -> dict[str, str]:
    policies = {"house": "fixed", "attendant": "attendant"}
    return {"home_throw_policy": policies[chosen]} if chosen in policies else {}


def _options(posted: QueryDict) -> dict[str, Any]:
    """What differs from the default; a choice's value is JSON-like: a number, true, false, text."""
    chosen = {}
    for option in options():
        given = posted.get(f"option-{option['name']}", option["default"])
        if given == AMOUNT:
            given = posted.get(f"option-{option['name']}-amount", "").strip() or "0"
        if given != option["default"]:
            chosen[option["name"]] = _value(given)
    return chosen


def _value(written: str) -> Any:
    return {"true": True, "false": False}.get(written, number(written))


def blank(table: Table) -> dict[str, Any]:
    """The form as it is first shown."""
    return _form(table, {"players": [{"name": "", "home": ""}] * SEATS_SHOWN})


def returned(table: Table, posted: QueryDict) -> dict[str, Any]:
    """The form as it was sent, for a second try under a new command id."""
    names = [f"option-{option['name']}" for option in options()]
    given = {name: posted.get(name) for name in names}
    first = posted.get("first", "")
    seated = seats(posted)
    seated += [{"name": "", "home": ""}] * (SEATS_SHOWN - len(seated))
    fee = {name: posted.get(name, "") for name in ("fee", *FEE_FIELDS)}
    form = _form(table, {"players": seated, "options": given, "fee": fee})
    return form | {
        "mode": posted.get("mode", "pool"),
        "stake": posted.get("stake", ""),
        "triad_amount": posted.get("option-triad_pay-amount", ""),
        "home_throw": posted.get("home_throw", "none"),
        "house_seat": bool(posted.get("house_seat")),
        "first": int(first) if first.isascii() and first.isdigit() else None,
        "options_open": fee["fee"] in FEES
        or any(
            given[f"option-{option['name']}"] not in {None, option["default"]}
            for option in options()
        ),
    }


def _form(table: Table, given: dict[str, Any]) -> dict[str, Any]:
    homes = home_throws(table)
    values = given.get("options", {})
    return {
        "game": {"id": "stone-hand", "title": _("Stone Hand")},
        "command_id": str(uuid.uuid4()),
        "players": given["players"],
        "first": None,
        "house_seat": False,
        "modes": modes(),
        "mode": "pool",
        "stake": table.stake_min or 25,
        "limits": limits(table),
        "currency": table.establishment.currency_symbol,
        "home_throws": homes,
        "home_throw": homes[0]["value"],
        "fees": fees(),
        "fee": {name.replace("-", "_"): value for name, value in given.get("fee", {}).items()},
        "triad_amount": "",
        "options": [
            option | {"value": values.get(f"option-{option['name']}") or option["default"]}
            for option in options()
        ],
        "options_open": False,
    }


def limits(table: Table) -> str:
    """The stakes that a table takes, in words (G10)."""
    bounds = {"least": table.stake_min, "greatest": table.stake_max}
    match table.stake_min is not None, table.stake_max is not None:
        case True, True:
            return _("%(least)s to %(greatest)s at this table") % bounds
        case True, False:
            return _("%(least)s or more at this table") % bounds
        case False, True:
            return _("at most %(greatest)s at this table") % bounds
        case _:
            return ""


def home_throws(table: Table) -> list[dict[str, Any]]:
    throw = in_force(establishment=table.establishment, at=timezone.now())
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
            "help": _("Written beside the name; each counts for everybody. SH7"),
        },
        {"value": "none", "label": _("None")},
    ]


def fees() -> list[dict[str, str]]:
    return [
        {"value": "", "label": _("none")},
        {"value": "rake", "label": _("a part of the pool")},
        {"value": "seat", "label": _("for each seat and round")},
        {"value": "time", "label": _("for time")},
    ]


def modes() -> list[dict[str, str]]:
    return [
        {"value": "pool", "label": _("A pool"), "help": _("The last with money takes it. SH9")},
        {"value": "drinks", "label": _("Drinks"), "help": _("The loser owes everybody one. SH12")},
        {
            "value": "scoreboard",
            "label": _("The scoreboard"),
            "help": _("The best throw of each round scores a point. SH13"),
        },
    ]


def _option(name: str, rule: str, label: str, choices: list[tuple[str, str]]) -> dict[str, Any]:
    """The first choice is the default."""
    return {
        "name": name,
        "rule": rule,
        "label": label,
        "default": choices[0][0],
        "choices": [{"value": value, "label": words} for value, words in choices],
    }


def options() -> list[dict[str, Any]]:
    """The house options of Stone Hand as the form offers them; each default first."""
    return [
        _option("rethrow", "SH11", _("Throws again by choice"),
                [("0", _("none")), ("1", _("once")), ("2", _("twice"))]),
        _option("triads", "SH6", _("1-4-7 and 2-5-8"),
                [("true", _("lose at once")), ("false", _("are empty"))]),
        _option("triad_pay", "SH6", _("A triad pays"),
                [("middle", _("its middle number")), ("all", _("everything")),
                 (AMOUNT, _("an amount"))]),
        _option("runs", "SH3", _("7-8-1 and 8-1-2"),
                [("wrap", _("are runs")), ("straight", _("are not runs"))]),
        _option("tie_owes", "SH5", _("After a tie the loser owes"),
                [("original", _("the first score")), ("rethrow", _("the throw that lost"))]),
        _option("sole", "SH7", _("One left after home throws"),
                [("pays", _("throws and pays")), ("void", _("the round is void"))]),
        _option("leave", "SH10", _("Who leaves"),
                [("forfeit", _("forfeits the stake")), ("refund", _("takes the stake along"))]),
        _option("point_to", "SH13", _("The point goes to"),
                [("best", _("the best throw")), ("lowest_score", _("the lowest score"))]),
    ]  # fmt: skip
