"""What the board of a game shows: seats, the next action, what happened. Display comes after."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

from django.urls import reverse
from django.utils.translation import gettext as _

from casino.attendants import permissions
from casino.attendants.models import Attendant
from casino.floor import stone_hand
from casino.play import queries, settled
from casino.play.cash import house_seats
from casino.play.loading import GameKey, Loaded, load
from casino.players import veil

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from django.contrib.auth.models import AnonymousUser

    from casino.establishments.models import Establishment, Table

TITLES = {"stone-hand": "Stone Hand"}
TELLERS = {"stone-hand": stone_hand}  # each game tells its own story
SUPERVISED = frozenset({"approve", "reject"})


def etag(loaded: Loaded) -> str:
    """Changes with every event of the game and with what settlement has booked of it."""
    return f'"{loaded.version}-{settled.settled_through(loaded)}"'


def board(
    loaded: Loaded, house: Establishment, person: Attendant | AnonymousUser
) -> dict[str, Any]:
    """The whole board, with people's names. Keys as templates/floor/_board.html reads them."""
    teller = TELLERS[loaded.ruleset.id]
    through = settled.settled_through(loaded)
    view = loaded.ruleset.view(loaded.history)
    role = permissions.roles(person).get(house.pk, "")
    shown = {
        "game": str(loaded.key.game),
        "table": {"id": loaded.place["table"], "name": table_name(house, loaded)},
        "ruleset": loaded.ruleset.id,
        "title": TITLES[loaded.ruleset.id],
        "version": loaded.version,
        "etag": etag(loaded),
        "round": view["round"],
        "status": view["status"],
        **teller.terms(loaded),
        "currency": house.currency_symbol,
        "pot": view["pot"] if teller.for_money(loaded) else None,
        "home_throws": view["home_throws"],
        "seats": seats(loaded, view, teller),
        "next": teller.upcoming(loaded, view),
        "offers": offers(loaded, through, role),
        "log": log(loaded, house, teller),
        "settlement": {
            "settled_through": loaded.events[through - 1].position if through else -1,
            "behind": loaded.version - through,
        },
        "winners": view["winners"],
        "command_id": str(uuid.uuid4()),
        "urls": urls(loaded, view["status"]),
    }
    named: dict[str, Any] = veil.unveil(house.pk, shown)
    return named


def urls(loaded: Loaded, status: str) -> dict[str, str]:
    game = loaded.key.game
    addresses = {
        "board": reverse("floor-board", args=[game]),
        "command": reverse("floor-command", args=[game]),
    }
    if status == "closed":
        addresses["open"] = reverse("floor-open", args=[loaded.place["table"]])
    return addresses


def table_name(house: Establishment, loaded: Loaded) -> str:
    return house.tables.values_list("name", flat=True).get(pk=loaded.place["table"])


def seats(loaded: Loaded, view: dict[str, Any], teller: Any) -> list[dict[str, Any]]:
    """The seats in order: what each has, played and booked, and how it stands in the round."""
    money = teller.for_money(loaded)
    booked = settled.booked_stakes(loaded) if money else {}
    houses = house_seats(loaded)
    return [
        {
            "player": player,
            "name": player,
            "house": player in houses,
            "stake": stake if money else None,
            "booked": booked.get(player, 0) if money else None,
            "drinks": view["drinks"].get(player),
            "points": _points(view["points"].get(player)),
            **teller.hand_of(loaded, view, player),
        }
        for player, stake in view["stakes"].items()
    ]


def _points(written: str | None) -> int | str | None:
    return int(written) if written is not None and written.isdigit() else written


def offers(loaded: Loaded, through: int, role: str) -> list[dict[str, Any]]:
    """What this person may do next, in the order of the board's buttons."""
    shown = []
    for offer in queries.offers(loaded, through):
        act: permissions.Act = "approve" if offer["do"] in SUPERVISED else "record"
        if role in permissions.ALLOWED[act]:
            shown += _offered(loaded, offer)
    return shown


def _offered(loaded: Loaded, offer: dict[str, Any]) -> list[dict[str, Any]]:
    """One offer of the rules as buttons."""
    named = {"name": offer["player"]} if "player" in offer else {}
    match offer["do"]:
        case "void":
            return _undo(loaded, offer)
        case "cash_out":
            return [{**offer, **named, "amount": offer["most"]}]
        case "approve":
            why = _("Approve: void back to event %(back_to)s. G4") % offer
            return [{**offer, "sentence": why, "fields": {"request": offer["request"]}}]
        case "reject":
            why = _("Reject: event %(back_to)s stays as it is. G4") % offer
            return [{**offer, "sentence": why, "fields": {"request": offer["request"]}}]
        case _:
            return [{**offer, **named}]


def _undo(loaded: Loaded, offer: dict[str, Any]) -> list[dict[str, Any]]:
    """
    The last throw, by the attendant alone while its round runs; once the round has ended or its
    money is booked, as a request to a supervisor (G4).
    """
    if offer["alone"]:
        return [{"do": "void", "back_to": offer["alone"][0]}]
    last = last_throw(loaded)
    if last is None or last < offer["from"] or last in offer["requested"]:
        return []
    return [
        {
            "do": "ask_void",
            "sentence": _("Ask a supervisor to void the last throw. G4"),
            "fields": {"back_to": last, "reason": _("entered wrongly")},
        }
    ]


def last_throw(loaded: Loaded) -> int | None:
    """The number of the last throw that still stands."""
    return next((number for number, fact in reversed(loaded.live) if fact.is_throw), None)


def log(loaded: Loaded, house: Establishment, teller: Any) -> list[dict[str, Any]]:
    """What happened, newest first: each event as a sentence, with dice, rules and payments."""
    standing = {number for number, _fact in loaded.live}
    people = staff_names(loaded)
    entries = []
    for event, (number, fact) in zip(loaded.events, loaded.history, strict=True):
        told = teller.told(loaded, fact, people)
        if told is None:
            continue
        aside = event.event_type in {"game.voided", "game.void_requested", "game.void_rejected"}
        entries.append(
            {
                "number": number,
                "at": event.provenance.occurred_at,
                "void": number not in standing and not aside,
                "payments": [
                    {"from": _account(each.payer), "to": _account(each.payee),
                     "amount": each.amount}
                    for each in fact.payments
                ],
                **told,
            }
        )
    return entries[::-1]


def _account(name: str) -> str:
    return {"pot": _("pool"), "house": _("the house")}.get(name, name)


def staff_names(loaded: Loaded) -> dict[str, str]:
    """The people who recorded this game, by id."""
    ids = {event.provenance.actor for event in loaded.events}
    return {str(person.pk): str(person) for person in Attendant.objects.filter(pk__in=ids)}


def table_card(table: Table) -> dict[str, Any]:
    """A table as the hall shows it: free, or with its running game."""
    card: dict[str, Any] = {
        "id": str(table.pk),
        "name": table.name,
        "url": reverse("floor-open", args=[table.pk]),
        "game": None,
    }
    game = queries.running_game(table)
    if game is None:
        return card
    loaded = load(GameKey(table.establishment_id, game))
    teller = TELLERS[loaded.ruleset.id]
    view = loaded.ruleset.view(loaded.history)
    running: dict[str, Any] = veil.unveil(
        table.establishment_id,
        {
            "title": TITLES[loaded.ruleset.id],
            "round": view["round"],
            "pot": view["pot"],
            "currency": table.establishment.currency_symbol,
            "sentence": teller.upcoming(loaded, view)["sentence"],
            "players": list(view["stakes"]),
            "last_at": loaded.events[-1].provenance.occurred_at,
        },
    )
    return {**card, "url": reverse("floor-game", args=[game]), "game": running}
