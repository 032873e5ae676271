"""
Draws the board of a game, as data, from the game and from what only the house knows (`Given`).

Pure: the server uses this module, and so does, compiled for its browser, a device that continues
alone; both draw the same board (docs/decisions/0041). Tokens stand for players until the last step.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _

from casino.floor.board import screens
from casino.floor.board.drawing_log import log
from casino.floor.board.drawing_names import put_names
from casino.floor.board.drawing_offers import back, offers, split, undo_of
from casino.floor.board.drawing_undo import describe_undo, entries_from
from casino.floor.board.game import Game
from casino.words.presenters import figures
from games.history import house_seats, live
from games.standing import backwards

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from casino.floor.board.drawing_given import Given
    from casino.words.presenters.presenter import Presenter
    from games.game import Ruleset
    from games.messages import Fact

LOG_MAX: Final = 60  # log lines on the board; a page of its own lists all of them


def play_facts(
    ruleset: Ruleset, presenter: Presenter, facts: Sequence[Fact], when: Callable[[int], str]
) -> Game:
    """A game made from its events alone, the opening first. Devices use this."""
    history = tuple(enumerate(facts, 1))
    return Game(
        ruleset=ruleset,
        presenter=presenter,
        facts=facts,
        state=ruleset.decider.fold(facts),
        live=live(history),
        view=ruleset.view(history),
        when=when,
    )


def draw_board(game: Game, given: Given) -> dict[str, Any]:
    """The whole board, with people's names. The keys are those that templates/tables/ read."""
    view, presenter = game.view, game.presenter
    offered = offers(game, given)
    ahead = given["ahead"]
    content = {
        **as_given(given),
        "ruleset": game.ruleset.id,
        "version": len(game.facts),
        "stands": game.live[-1][0],  # the last event of play: not a request or its rejection
        "parts": screens.parts(game.ruleset.id),
        "sizes": list(presenter.SIZES),
        "round": view["round"],
        "status": view["status"],
        **presenter.terms(game),
        "for_money": presenter.for_money(game),
        "figures": figures.figures(presenter, game),
        "home_throws": view["home_throws"],
        "seats": seats(game, given),
        "next": upcoming(game),
        "paused": game.state.paused,
        "offered": offer_of_table(game, given),
        "disputes": disputes(game, given),
        "own": presenter.own(game, view),
        **split(offered, closed=view["status"] == "closed"),
        "back": back(game, offered, view["out"]),
        "requests": requests(game, given, offered),
        "begun_with": first_throw_of_round(game),
        "untouched": not over(game) and not any(fact.is_throw for _number, fact in game.live),
        "log": log(
            game,
            presenter,
            people=given["people"],
            when=game.when,
            round_url=given["urls"]["round"],
            other_lines=given["other_lines"],
            earliest=next((each["from"] for each in offered if each["do"] == "go_back"), None),
            house_knows=ahead["from"] if ahead else None,
            limit=LOG_MAX,
        ),
        "log_whole": len(game.facts) <= LOG_MAX,
        "settlement": {
            "settled_through": given["settled_position"],
            "behind": len(game.facts) - given["through"],
        },
        "winners": view["winners"],
        "urls": urls(game, given),
    }
    board: dict[str, Any] = put_names(content, given["names"], given["texts"])
    return board


def as_given(given: Given) -> dict[str, Any]:
    """The values of the board that come from the house unchanged."""
    return {
        "game": given["game"],
        "table": given["table"],
        "title": given["title"],
        "currency": given["house"]["currency"],
        "steps": given["house"]["steps"],
        "language_and_locale": given["house"]["language_and_locale"],
        "etag": given["etag"],
        "command_id": given["command_id"],
        "records": given["may"]["record"],
        "looks": looks_twice(given),
        "awaited": given["awaited"],
        "agreed": given.get("agreed", []),
        "lease": given["lease"],
        "watching": given["watching"],
        "device": given["device"],
        "ahead": given["ahead"],
    }


def looks_twice(given: Given) -> bool:
    """Whether a throw that pays is looked at twice, because it could not be undone alone (G4)."""
    return bool(given.get("second_look")) and undo_of(given)["seconds"] == 0


def urls(game: Game, given: Given) -> dict[str, str]:
    """The addresses of the board's links; `open`, for the next game, only once this one is over."""
    addresses = {name: address for name, address in given["urls"].items() if name != "open"}
    return {**addresses, **({"open": given["urls"]["open"]} if over(game) else {})}


def over(game: Game) -> bool:
    return bool(game.view["status"] == "closed")


def upcoming(game: Game) -> dict[str, Any]:
    """What has to be done next, and by which players; during a break, that the table is paused."""
    view = game.view
    if game.state.paused and not over(game):
        return {
            "players": [],
            "sentence": _("The table is paused"),
            "player": None,
            "may": [],
            "dice": [],
        }
    return {"players": view["next"]["players"], **game.presenter.upcoming(game, view)}


def first_throw_of_round(game: Game) -> int:
    """The first throw of the running round, by its event's number; 0: none is recorded yet."""
    found = 0
    for step in backwards(game.state):
        if not step.value.thrown:
            break
        found = step.number
    return found if not over(game) else 0


def offer_of_table(game: Game, given: Given) -> dict[str, Any] | None:
    """The open offer of the table to somebody, who signs for it in their own session (B3)."""
    if game.state.offered is None:
        return None
    _number, offer = game.state.offered
    return {
        "by": given["people"].get(offer.by, ""),
        "to": given["people"].get(offer.to, ""),
        "round": offer.round,
        "version": offer.version,
        "mine": offer.to == given["person"] and given["may"]["record"],
        "fields": {"to": offer.to},
    }


def disputes(game: Game, given: Given) -> list[dict[str, Any]]:
    """Open disputes (C3). Play continues meanwhile, and what the disputed round pays is held."""
    return [
        {
            "number": dispute.dispute,
            "round": dispute.round,
            "url": given["urls"]["round"] % dispute.round,
        }
        for dispute in game.state.disputes
    ]


def seats(game: Game, given: Given) -> list[dict[str, Any]]:
    """The seats in order: each player's stake as played and as booked, and their hand."""
    view, presenter = game.view, game.presenter
    money = presenter.for_money(game)
    booked, held = given["booked"], given["held"]
    houses = house_seats(game.live)
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
            **presenter.hand_of(game, view, player),
        }
        for player, stake in view["stakes"].items()
    ]


def _points(written: str | None) -> int | str | None:
    return int(written) if written is not None and written.isdigit() else written


def requests(game: Game, given: Given, offered: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """
    Voids that wait for a second person (G4): what is to be cancelled, who asks and why, and which
    answers this person may give. Whoever made the request cannot approve it, but may withdraw it.
    """
    people = given["people"]
    return [
        {
            "request": each.request,
            "back_to": each.back_to,
            "who": people.get(each.asked_by, ""),
            "own": each.asked_by == given["person"],
            "reason": each.reason,
            "change": each.instead is not None,
            "what": game.presenter.describe(game, game.facts[each.back_to - 1], people),
            "clock": game.when(each.request),
            "takes_back": describe_undo(game, each.back_to, people),
            "asked": entries_from(game, each.back_to, before=each.request),
            "since": entries_from(game, each.request),
            "answers": [
                offer
                for offer in offered
                if offer.get("request") == each.request
                and (offer["do"] == "reject" or each.asked_by != given["person"])
            ],
        }
        for each in game.state.requests
    ]
