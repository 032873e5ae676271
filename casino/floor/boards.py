"""What the board of a game shows: seats, the next action, what happened. Display comes after."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.urls import reverse
from django.utils.translation import gettext as _

from casino.attendants import permissions
from casino.floor import screens
from casino.play import queries, settled
from casino.play.cash import house_seats
from casino.play.telling import TELLERS, TITLES, figures, rounds
from casino.play.telling.stories import account, cancelled, round_url, staff_names, table_name
from casino.players import veil

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from casino.establishments.models import Establishment
    from casino.play.loading import Loaded
    from casino.play.telling import Teller
    from games.payments import Payment

SUPERVISED = frozenset({"approve", "reject", "resolve"})
# What the entry asks for in its turn; all the rest stands beside it, in every game alike.
ENTERED = frozenset(
    {"throw", "throw_home", "keep", "break_start", "start_round", "seal", "offer", "bid", "pass",
     "sell", "withdraw", "reveal"}
)  # fmt: skip
BUTTONS = frozenset({"stand", "void", "no_throw"})  # with a place of their own beside the entry
BESIDE = frozenset({"handover", "change_dice", "witness", "dispute"})  # on a page of their own
ROOM_SAID = 10**9  # a limit of more coins than this is the counting's, not the table's
LOG_SHOWN = 60  # events on the board; all of them have a page of their own


@dataclass(frozen=True, slots=True)
class Seen:
    """A game as one person looks at it: everything that a request asks for only once."""

    loaded: Loaded
    house: Establishment
    person: str
    role: str
    through: int
    """The game's last event that settlement has dealt with."""
    mark: str = ""
    """Of what a board shows, as `queries.mark` has it; other pages need none."""

    @property
    def etag(self) -> str:
        """Changes with whatever the board shows, and with whom it is shown to."""
        return f'"{self.mark}-{self.role}-{self.person}"'

    def may(self, act: permissions.Act) -> bool:
        return self.role in permissions.ALLOWED[act]


def board(seen: Seen) -> dict[str, Any]:
    """The whole board, with people's names. Keys as the parts in templates/floor/ read them."""
    loaded, house, through = seen.loaded, seen.house, seen.through
    teller = TELLERS[loaded.ruleset.id]
    view = loaded.view
    people = staff_names(loaded)
    offered = offers(seen)
    shown = {
        "game": str(loaded.key.game),
        "table": {"id": loaded.place["table"], "name": table_name(house, loaded)},
        "ruleset": loaded.ruleset.id,
        "title": TITLES[loaded.ruleset.id],
        "version": loaded.version,
        "stands": loaded.live[-1][0],  # a request or its rejection leaves play where it was
        "etag": seen.etag,
        "parts": screens.parts(loaded.ruleset.id),
        "sizes": list(teller.SIZES),
        "round": view["round"],
        "status": view["status"],
        **teller.terms(loaded),
        "currency": house.currency_symbol,
        "for_money": teller.for_money(loaded),
        "figures": figures.figures(teller, loaded),
        "home_throws": view["home_throws"],
        "seats": seats(loaded, view, teller),
        "next": upcoming(loaded, teller),
        "paused": loaded.state.paused,
        "offered": offered_table(seen, people),
        "disputes": disputes(loaded),
        "own": teller.own(loaded, view),
        "records": seen.may("record"),
        **split(offered, closed=view["status"] == "closed"),
        "back": back(seen, offered, view["out"]),
        "awaited": awaited(seen),
        "requests": requests(seen, teller, people, offered),
        "log": log(loaded, teller, people, limit=LOG_SHOWN),
        "log_whole": loaded.version <= LOG_SHOWN,
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


def upcoming(loaded: Loaded, teller: Teller) -> dict[str, Any]:
    """What comes next; in a break that it is one."""
    view = loaded.view
    if loaded.state.paused and not loaded.closed:
        return {
            "players": [],
            "sentence": _("The table is paused"),
            "player": None,
            "may": [],
            "dice": [],
        }
    return {"players": view["next"]["players"], **teller.upcoming(loaded, view)}


def offered_table(seen: Seen, people: Mapping[str, str]) -> dict[str, Any] | None:
    """The open offer of the table to somebody, who signs for it in their own session (B3)."""
    if seen.loaded.state.offered is None:
        return None
    _number, offer = seen.loaded.state.offered
    return {
        "by": people.get(offer.by, ""),
        "to": people.get(offer.to, ""),
        "round": offer.round,
        "version": offer.version,
        "mine": offer.to == seen.person and seen.may("record"),
        "fields": {"to": offer.to},
    }


def disputes(loaded: Loaded) -> list[dict[str, Any]]:
    """What is disputed and not decided yet (C3): play goes on, what the round pays is held."""
    return [
        {
            "number": dispute.dispute,
            "round": dispute.round,
            "url": round_url(loaded.key.game, dispute.round),
        }
        for dispute in loaded.state.disputes
    ]


def urls(loaded: Loaded, status: str) -> dict[str, str]:
    game = loaded.key.game
    addresses = {
        "board": reverse("floor-board", args=[game]),
        "command": reverse("floor-command", args=[game]),
        "log": reverse("floor-log", args=[game]),
        "beside": reverse("floor-beside", args=[game]),
    }
    if status == "closed":
        again = reverse("floor-open", args=[loaded.place["table"]])
        addresses["open"] = f"{again}?game={loaded.ruleset.id}"
    return addresses


def seats(loaded: Loaded, view: dict[str, Any], teller: Teller) -> list[dict[str, Any]]:
    """The seats in order: what each has, played and booked, and how it stands in the round."""
    money = teller.for_money(loaded)
    booked = settled.booked_stakes(loaded) if money else {}
    held = settled.held_stakes(loaded.key) if money else {}
    houses = house_seats(loaded)
    return [
        {
            "player": player,
            "name": player,
            "house": player in houses,
            "stake": stake if money else None,
            "booked": booked.get(player, 0) + held.get(player, 0) if money else None,
            "held": held.get(player, 0),
            "drinks": view["drinks"].get(player),
            "points": _points(view["points"].get(player)),
            "owner": None,
            **teller.hand_of(loaded, view, player),
        }
        for player, stake in view["stakes"].items()
    ]


def _points(written: str | None) -> int | str | None:
    return int(written) if written is not None and written.isdigit() else written


def offers(seen: Seen) -> list[dict[str, Any]]:
    """What this person may do next, as the rules offer it."""
    shown = []
    for offer in queries.offers(seen.loaded, seen.through):
        if seen.may("approve" if offer["do"] in SUPERVISED else "record"):
            shown += _offered(seen.loaded, offer)
    return shown


def split(offered: Sequence[dict[str, Any]], *, closed: bool) -> dict[str, Any]:
    """
    What may be done, by command: ``can.leave`` has a row for each player who may leave.

    Once a game is over, paying people out is what comes next; before, one thing among others.
    ``more`` says whether anything stands behind "More".
    """
    apart = SUPERVISED | ({"cash_out"} if closed else set())
    can: dict[str, list[dict[str, Any]]] = {}
    for offer in offered:
        if offer["do"] not in apart:
            can.setdefault(offer["do"], []).append(offer)
    return {
        "can": can,
        "more": bool(can.keys() - ENTERED - BUTTONS - {"resume"}),
        "beside": bool(can.keys() & BESIDE),
        "acts": bool(can.keys() - ENTERED - {"resume"}),
        "pays_out": [offer for offer in offered if closed and offer["do"] == "cash_out"],
    }


def back(seen: Seen, offered: Sequence[dict[str, Any]], out: Sequence[str]) -> list[dict[str, Any]]:
    """Who is out and may buy in again, each with what they brought last."""
    brought = {each.player: each.amount for _, fact in seen.loaded.live for each in fact.buy_ins}
    return [
        {**offer, "amount": brought.get(offer["player"])}
        for offer in offered
        if offer["do"] == "buy_in" and offer["player"] in out
    ]


def awaited(seen: Seen) -> list[dict[str, Any]]:
    """What rolled over to this game and is still to arrive, by the table that it comes from."""
    return [
        {"amount": amount, "table": table_name(seen.house, left_by)}
        for left_by, amount in queries.awaited(seen.loaded)
    ]


def _offered(loaded: Loaded, offer: dict[str, Any]) -> list[dict[str, Any]]:
    """One offer of the rules as buttons."""
    named = {"name": offer["player"]} if "player" in offer else {}
    match offer["do"]:
        case "void":
            return _undo(loaded, offer)
        case "cash_out":
            return [{**offer, **named, "amount": offer["most"]}]
        case "close" | "leave":
            teller = TELLERS[loaded.ruleset.id]
            says = teller.closing if offer["do"] == "close" else teller.leaving
            return [{**offer, **named, "sentence": says(loaded.state.inner)}]
        case "join" | "buy_in" if offer.get("most", 0) > ROOM_SAID:
            return [{**offer, **named, "most": None}]
        case "approve" | "reject":
            return [{**offer, "fields": {"request": offer["request"]}}]
        case _:
            return [{**offer, **named}]


def requests(
    seen: Seen, teller: Teller, people: Mapping[str, str], offered: Sequence[dict[str, Any]]
) -> list[dict[str, Any]]:
    """
    Voids that wait for a second person (G4): what is to go, who asks and why, and the answers
    that this person may give. Whoever asked does not approve; they may take the request back.
    """
    return [
        {
            "request": each.request,
            "back_to": each.back_to,
            "who": people.get(each.asked_by, ""),
            "own": each.asked_by == seen.person,
            "reason": each.reason,
            "what": teller.told(seen.loaded, seen.loaded.facts[each.back_to - 1], people),
            "answers": [
                offer
                for offer in offered
                if offer.get("request") == each.request
                and (offer["do"] == "reject" or each.asked_by != seen.person)
            ],
        }
        for each in seen.loaded.state.requests
    ]


def _undo(loaded: Loaded, offer: dict[str, Any]) -> list[dict[str, Any]]:
    """
    The last throw, by the attendant alone while its round runs; once the round has ended or its
    money is booked, as a request to a supervisor (G4).
    """
    if offer["alone"]:
        return [{"do": "void", "back_to": offer["alone"][0]}]
    last, was_throw = last_entered(loaded)
    if last < offer["from"] or last in offer["requested"]:
        return []
    throw = _("Ask a supervisor to void the last throw. G4")
    return [
        {
            "do": "ask_void",
            "sentence": throw if was_throw else _("Ask a supervisor to void the last entry. G4"),
            "fields": {"back_to": last, "reason": _("entered wrongly")},
        }
    ]


def last_entered(loaded: Loaded) -> tuple[int, bool]:
    """The number of the last entry that still stands, 0 if there is none; whether it is a throw."""
    entered = TELLERS[loaded.ruleset.id].entered
    found = ((number, fact.is_throw) for number, fact in reversed(loaded.live) if entered(fact))
    return next(found, (0, False))


def log(
    loaded: Loaded, teller: Teller, people: Mapping[str, str], *, limit: int | None = None
) -> list[dict[str, Any]]:
    """What happened, newest first: each event as a sentence, with dice, rules and payments."""
    standing = {number for number, _fact in loaded.live}
    of_round = rounds.chapters(loaded.facts).of
    entries: list[dict[str, Any]] = []
    for number in range(loaded.version, 0, -1):
        if limit is not None and len(entries) >= limit:
            break
        event, fact = loaded.events[number - 1], loaded.facts[number - 1]
        told = teller.told(loaded, fact, people)
        if told is None:
            continue
        void = cancelled(number, fact, standing)
        entries.append(
            {
                "number": number,
                "at": event.provenance.occurred_at,
                "void": void,
                "payments": [_payment(each, teller) for each in fact.payments],
                "why": round_url(loaded.key.game, of_round[number - 1])
                if fact.payments and not void
                else "",
                **told,
            }
        )
    return entries


def _payment(payment: Payment, teller: Teller) -> dict[str, Any]:
    return {
        "from": account(payment.payer, teller),
        "to": account(payment.payee, teller),
        "amount": payment.amount,
    }
