"""Between the floor's forms and the vocabulary of commands."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

from django.utils import timezone
from django.utils.translation import gettext as _

from casino.home_throws.operations import in_force

if TYPE_CHECKING:
    from django.http import QueryDict

    from casino.establishments.models import Table

NUMBERS = frozenset({"back_to", "request", "amount"})
WORDS = ("do", "command_id", "player", "reason", "note")
SEATS_SHOWN = 3


def command(posted: QueryDict) -> dict[str, Any]:
    """A command of the vocabulary from a form of the board."""
    raw: dict[str, Any] = {name: posted[name] for name in WORDS if posted.get(name)}
    raw |= {name: number(posted[name]) for name in NUMBERS if posted.get(name)}
    if "dice" in posted:
        raw["dice"] = [number(face) for face in posted.getlist("dice")]
    return raw


def number(written: str) -> int | str:
    """A number where one stands; else the words, which the vocabulary refuses by name."""
    return int(written) if written.isascii() and written.isdigit() else written


def opening_command(posted: QueryDict) -> dict[str, Any]:
    """An ``open`` command from the form that opens a game."""
    seated = [name.strip() for name in posted.getlist("player")]
    players: list[dict[str, Any]] = [{"name": name} for name in seated if name]
    if posted.get("house_seat") and players:
        players[-1]["house"] = True
    mode = posted.get("mode", "pool")
    raw: dict[str, Any] = {
        "command_id": posted.get("command_id", ""),
        "game": posted.get("game", ""),
        "players": players,
        "options": {"mode": mode, **_options(posted)},
        **_home_throw(posted.get("home_throw", "none")),
    }
    if mode == "pool" and posted.get("stake"):
        raw["stake"] = number(posted["stake"].strip())
    if (first := _first(posted, seated)) is not None:
        raw["first"] = first
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
        if given != option["default"]:
            chosen[option["name"]] = _value(given)
    return chosen


def _value(written: str) -> Any:
    return {"true": True, "false": False}.get(written, number(written))


def blank(table: Table) -> dict[str, Any]:
    """The form as it is first shown."""
    return _form(table, {"players": [""] * SEATS_SHOWN, "house_throw": True})


def returned(table: Table, posted: QueryDict) -> dict[str, Any]:
    """The form as it was sent, for a second try under a new command id."""
    given = {option["name"]: posted.get(f"option-{option['name']}") for option in options()}
    first = posted.get("first", "")
    form = _form(table, {"players": posted.getlist("player"), "options": given})
    return form | {
        "mode": posted.get("mode", "pool"),
        "stake": posted.get("stake", ""),
        "home_throw": posted.get("home_throw", "none"),
        "house_seat": bool(posted.get("house_seat")),
        "first": int(first) if first.isdigit() else None,
        "options_open": any(
            given[option["name"]] not in {None, option["default"]} for option in options()
        ),
    }


def _form(table: Table, given: dict[str, Any]) -> dict[str, Any]:
    throw = in_force(establishment=table.establishment, at=timezone.now())
    homes: list[dict[str, Any]] = [{"value": "none", "label": _("None")}]
    if throw is not None:
        homes.insert(0, {"value": "house", "label": _("The house's own"), "dice": throw.faces})
    homes.append(
        {
            "value": "attendant",
            "label": _("Thrown by the attendant"),
            "help": _("The first junk hand is the home throw of this game. H2"),
        }
    )
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
        "currency": table.establishment.currency_symbol,
        "home_throws": homes,
        "home_throw": homes[0]["value"],
        "options": [
            option | {"value": values.get(option["name"]) or option["default"]}
            for option in options()
        ],
        "options_open": False,
    }


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
                [("middle", _("its middle number")), ("all", _("everything"))]),
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
