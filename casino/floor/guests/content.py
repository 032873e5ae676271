"""The content of the guests' page: what everybody at the house may know, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _

from casino.floor.guests.wall.content import home_of, waiting_rollovers
from casino.floor.players import waiting_pages
from casino.floor.players.public_names import public_names
from casino.house.attendants.pseudonyms import tokens
from casino.house.establishments.models import HouseRules
from casino.house.establishments.table_names import in_list_order
from casino.house.home_throws import house_rules
from casino.play.core import cards, scoreboards
from casino.play.dice.odds import translation
from casino.play.dice.odds.house_query import options_of, query_of
from casino.play.dice.odds.queries import GAMES, answer
from casino.words.presenters import PRESENTERS, TITLES
from casino.words.presenters.figures import figures
from casino.words.presenters.opening import OPENINGS, reading
from casino.words.presenters.opening.fields import UNIT
from casino.words.presenters.quoted import rules as numbered

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from casino.house.establishments.models import Establishment

TABLE_FIGURES: Final = 2
"""The number of figures shown of each table, the pot first."""
RANKS: Final = 10
"""The number of players shown of each scoreboard."""


@dataclass(frozen=True, slots=True)
class Section:
    """
    A section of the page: its heading and its template, which has the content as `section`.

    :param content: returns what the section shows; where that is empty, the section is left out.
    """

    name: str
    title: Callable[[], str]
    content: Callable[[Establishment, datetime], Any]

    @property
    def template(self) -> str:
        return f"floor/guests/_{self.name}.html"


def sections(house: Establishment, now: datetime) -> list[dict[str, Any]]:
    """The sections that have something to show, in order."""
    drawn = [(each, each.content(house, now)) for each in SECTIONS]
    return [
        {"name": each.name, "title": each.title(), "template": each.template, "content": content}
        for each, content in drawn
        if content
    ]


def tables(house: Establishment, now: datetime) -> list[dict[str, Any]]:
    """The games that run at the house's tables with their pots, without players."""
    del now
    rows = in_list_order(house.tables.filter(in_use=True))
    games = cards.games_at(house.pk, rows)
    running = [(table, game) for table in rows if (game := games.get(table.pk)) is not None]
    return [
        {
            "table": table.name,
            "game": game.ruleset.id,
            "title": TITLES[game.ruleset.id],
            "round": game.view["round"],
            "paused": bool(game.state.paused),
            "figures": figures(PRESENTERS[game.ruleset.id], game)[:TABLE_FIGURES],
        }
        for table, game in running
    ]


def lots(house: Establishment, now: datetime) -> list[dict[str, Any]]:
    del now
    return waiting_rollovers(house)


def boards(house: Establishment, now: datetime) -> list[dict[str, Any]]:
    """The scoreboard of each game: the season that runs, or the last; names as players allow."""
    found = (scoreboards.read(house, game, now, most=RANKS) for game in scoreboards.games(house))
    shown = [each for each in found if each and each.ranks]
    names = public_names(house, {rank.player for each in shown for rank in each.ranks})
    return [
        {
            "board": each,
            "lines": [{"name": names[rank.player], "rank": rank} for rank in each.ranks],
        }
        for each in shown
    ]


def games(house: Establishment, now: datetime) -> list[dict[str, Any]]:
    """The games that are played here, in the house's order, each with its home throw in force."""
    played = house_rules.games_offered(house, now)
    rules = house_rules.all_in_force(house, now)
    return [
        {
            "game": game,
            "title": TITLES[game],
            "line": form.line,
            "dice": form.sample_dice,
            "odds": game in GAMES,
            "home": home_of(house, game, rules.get(game), now),
        }
        for game, form in OPENINGS.items()
        if game in played
    ]


SECTIONS: Final = (
    Section("tables", lambda: _("At the tables now"), tables),
    Section("waiting", lambda: _("Waiting list"), waiting_pages.public_lines),
    Section("boards", lambda: _("Scoreboard"), boards),
    Section("lots", lambda: _("Waiting for the next game"), lots),
    Section("games", lambda: _("What is played here"), games),
)
"""The sections of the page, in order. A new one is a line here and a template."""


def rules_of(house: Establishment, game: str, now: datetime) -> dict[str, Any] | None:
    """The page of a game: every numbered rule with the options in force; None: not played here."""
    if game not in OPENINGS or game not in house_rules.games_offered(house, now):
        return None
    rules = house_rules.in_force(establishment=house, game=game, at=now)
    chosen = options_of(house, game, rules)
    paid = reading.is_for_money(OPENINGS[game], chosen)
    by_rule: dict[str, list[dict[str, str]]] = {}
    for option in OPENINGS[game].options:
        if option.name != UNIT or paid:
            words = reading.in_words(option, chosen[option.name], paid=paid)
            by_rule.setdefault(option.rule, []).append({"label": str(option.label), "value": words})
    tables = ranking_of(game)
    deviates = rules is None or rules.deviations != HouseRules.Deviations.NOBODY
    return {
        "game": game,
        "title": TITLES[game],
        "line": OPENINGS[game].line,
        "home": home_of(house, game, rules, now),
        "fee": house_rules.fee_text(rules.fee) if rules and rules.fee and paid else "",
        "text": str(tokens.resolve(house.pk, rules.text)) if rules and rules.text else "",
        "since": rules.effective_from if rules else None,
        "version": rules.version if rules else None,
        "deviates": deviates,
        "rules": [
            {
                "number": number,
                "text": text,
                "options": by_rule.get(number, ()),
                "table": tables.get(number),
            }
            for number, text in numbered(game).items()
        ],
        "odds": game in GAMES,
    }


def ranking_of(game: str) -> dict[str, dict[str, Any]]:
    """The table of hands of a game whose rules rank them by one, by the number of that rule."""
    ranking = GAMES[game].ranking if game in GAMES else None
    if ranking is None:
        return {}
    number, hands = ranking
    table = translation.table(hands())
    columns = [
        (at, each) for at, each in enumerate(table.columns)
        if each.kind == "word" or each.name == "rank"
    ]  # fmt: skip
    return {
        number: {
            "title": table.title,
            "columns": [each.title for _at, each in columns],
            "rows": [[row[at] for at, _each in columns] for row in table.rows],
        }
    }


def odds_of(house: Establishment, game: str, now: datetime) -> dict[str, Any] | None:
    """The odds of a game with the house's options and home throw; None: not known or not played."""
    if game not in GAMES or game not in house_rules.games_offered(house, now):
        return None
    query, is_beyond = query_of(house, game, now)
    found = translation.answer(answer(game, query))
    return {"game": game, "title": TITLES[game], "answer": found, "is_beyond": is_beyond}
