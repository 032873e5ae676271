"""
The guests' pages, for players, without signing in, if a manager has switched them on.

They show what everybody at the house may know, and to the holder of a slip what became of it.

What is everybody's may be kept by any cache on the way: these answers depend on the address and the
language alone. They read no cookie and set none. What is somebody's is kept by nobody.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Sum
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from casino.floor.guests.wall import hide_from_search, home_of, put_labels, waiting_rollovers
from casino.floor.players import waiting_pages
from casino.floor.players.models import CashDay
from casino.floor.players.player_names import public_names
from casino.floor.tables.web_app import manifest_of
from casino.house.attendants.pseudonyms import tokens
from casino.house.establishments.clock import show_times_of
from casino.house.establishments.gaming_day import current
from casino.house.establishments.models import Establishment, HouseRules
from casino.house.establishments.table_names import in_list_order
from casino.house.home_throws import house_rules
from casino.kit.web import etags
from casino.kit.web.limits import text, visitors_page
from casino.money.payouts import queries as payout_queries
from casino.money.payouts import receipts
from casino.money.payouts.explained import Explained
from casino.play.core import queries as core_queries
from casino.play.core import scoreboards
from casino.play.dice.odds import queries as odds_queries
from casino.play.dice.odds.queries import GAMES, answer, options_of, query_of
from casino.play.settlement.models import Payout
from casino.proof.signing import queries
from casino.words.languages import reader, spelled
from casino.words.presenters import PRESENTERS, TITLES, opening_forms
from casino.words.presenters.opening_forms import UNIT
from casino.words.presenters.quoted import rules as numbered
from casino.words.presenters.registered import OPENINGS
from casino.words.presenters.rounds import figures
from ledger import proofs
from ledger.journal import read
from ledger.proofs import NotCovered
from ledger.tiles import Altered
from ledger.verify import leaf_hash

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from django.http import HttpRequest

NOW, SELDOM = 15, 300
"""Seconds that a cache keeps a page: with pots on it, and with rules."""

guests = partial(visitors_page, scope="guests")


@guests
def index(request: HttpRequest, house: str) -> HttpResponse:
    """What is played here, pots and rollovers as they stand, and where rules and odds are."""
    at = house_of(house)
    context = {"sections": sections(at, timezone.now())}
    return _public(request, at, "floor/guests/index.html", context, NOW)


@guests
def game(request: HttpRequest, house: str, ruleset: str) -> HttpResponse:
    """The numbered rules of a game with the options in force here."""
    at = house_of(house)
    context = _or_404(rules_of(at, ruleset, timezone.now()))
    return _public(request, at, "floor/guests/game.html", context, SELDOM)


@guests
def odds(request: HttpRequest, house: str, ruleset: str) -> HttpResponse:
    """The odds of a game as it is played here."""
    at = house_of(house)
    context = _or_404(odds_of(at, ruleset, timezone.now()))
    return _public(request, at, "floor/guests/odds.html", context, SELDOM)


@guests
def manifest(_request: HttpRequest, house: str) -> HttpResponse:
    """The page on a phone's home screen, under the house's name."""
    at = house_of(house)
    start = reverse("guests", args=[house])
    answer = JsonResponse(
        manifest_of(start, name=at.name, scope=start), content_type="application/manifest+json"
    )
    answer.headers["Cache-Control"] = f"public, max-age={SELDOM}"
    return answer


@guests
def slip(request: HttpRequest, house: str, slip: str) -> HttpResponse:
    """
    The payout of a slip with its reason and proof, and its player's evening.

    After some days, or with the page switched off, the code leads to the receipt's check alone.
    """
    at, row = _of_slip(house, slip)
    check = check_address(at, row)
    if not _tells(at, row):
        return redirect(check)
    [mine] = tell_payouts(at, [row], whole=True)
    context = {
        "mine": mine,
        "evening": evening(at, row),
        "check": check,
        "signed": is_signed(row),
        "until": row.gaming_day + receipts.LASTS,
    }
    return hide_from_search(HttpResponse(page_of(request, at, "floor/guests/slip.html", context)))


@guests
def proof(_request: HttpRequest, house: str, slip: str) -> HttpResponse:
    """The receipt of a slip's payout as a file for a verifier (C2SP tlog-proof); see `slip`."""
    at, row = _of_slip(house, slip)
    if not _tells(at, row):
        return redirect(check_address(at, row))
    try:
        made = receipts.proven(at.pk, row.position)
    except NotCovered:
        raise Http404("No checkpoint covers this payout yet.") from None
    except Altered:
        sentence = _("The book is not what was signed: there is no receipt that holds.")
        return text(sentence, status=HTTPStatus.INTERNAL_SERVER_ERROR)
    name = queries.filename(at.pk, f"{row.position}.tlog-proof")
    return hide_from_search(text(str(made), filename=name))


def _of_slip(key: str, code: str) -> tuple[Establishment, Payout]:
    """:raises Http404: if this house gave out no such code."""
    at = spelled.read(key)
    house = at and Establishment.objects.filter(pk=at).first()
    row = receipts.row_of(house, code) if house else None
    if not house or row is None:
        raise Http404("This house gave out no such code.")
    show_times_of(house)
    return house, row


def _tells(house: Establishment, row: Payout) -> bool:
    return house.guests and receipts.tells(row, current(house, timezone.now()))


def house_of(key: str) -> Establishment:
    """:raises Http404: if there is no such house, or its guests' page is switched off."""
    at = spelled.read(key)
    house = at and Establishment.objects.filter(pk=at, guests=True).first()
    if not house:
        raise Http404("There is no guests' page at this address, or it is switched off.")
    show_times_of(house)
    return house


def _or_404(found: dict[str, Any] | None) -> dict[str, Any]:
    if found is None:
        raise Http404("This game is not played here.")
    return found


def page_of(
    request: HttpRequest, house: Establishment, template: str, context: Mapping[str, Any]
) -> str:
    """A page, drawn without the request: nothing on it depends on who asks."""
    asked = reader.language_asked_for(request)
    key = spelled.compact(house.pk)
    common = {
        "house": house,
        "key": key,
        "keeps": f"?{reader.LANGUAGE_FIELD}={asked}" if asked else "",
        "languages": reader.languages_of_house(),
        "path": request.path,
        "currency": house.currency_symbol,
    }
    return render_to_string(template, {**common, **context})


def _public(
    request: HttpRequest,
    house: Establishment,
    template: str,
    context: Mapping[str, Any],
    seconds: int,
) -> HttpResponse:
    """A page that any cache may keep for so many seconds; 304 to whoever has it."""
    page = page_of(request, house, template, context)
    digest = hashlib.sha256(page.encode()).hexdigest()[:32]
    etag = f'"{translation.get_language()}-{digest}"'
    answer = etags.not_modified(request, etag) or HttpResponse(page, headers={"ETag": etag})
    answer.headers["Cache-Control"] = f"public, max-age={seconds}"
    return hide_from_search(answer)


# What the holder of a slip is told: the payout with its reason, and its player's evening.
#
# Whoever finds a lost slip learns no name from it: players are called by their part in the
# sentence. It is told of one gaming day, and only for some days (`receipts.LASTS`).


SHOWN: Final = 100  # payouts of an evening
BEGINNING: Final = re.compile(r"(?:^|(?<=\. ))[a-z]")


@dataclass(frozen=True, slots=True)
class PublicPayout:
    """
    A payout without names.

    :param reasons: the throws that decided it, and why it was made.
    :param waits_for: what holds it, in words.
    :param code: the code of its own slip.
    """

    row: Payout
    game: str
    title: str
    reasons: Sequence[str]
    waits_for: Sequence[str]
    code: str

    @property
    def rules(self) -> list[str]:
        return self.row.rules.split()


def tell_payouts(
    house: Establishment, rows: Sequence[Payout], *, whole: bool = False
) -> list[PublicPayout]:
    """
    Payouts of one player without names.

    :param whole: whether to tell also by which throws the round ended.
    """
    explained, found = Explained(house, rows), []
    for row in rows:
        reasons = explained.sentences(row) if whole else (explained.why(row),)
        me, kind = {row.payee: _("this player")}, explained.kind(row)
        found.append(
            PublicPayout(
                row=row,
                game=kind,
                title=str(TITLES.get(kind, "")),
                reasons=[capitals(put_labels(each, me)) for each in reasons if each],
                waits_for=[each["says"] for each in payout_queries.reasons(row)],
                code=receipts.code_of(house, row),
            )
        )
    return found


def capitals(text: str) -> str:
    """Sentences with capitals, also where one begins with "a player"."""
    return BEGINNING.sub(lambda letter: letter[0].upper(), text)


def evening(house: Establishment, of: Payout) -> dict[str, Any]:
    """What the player of a payout won, paid, brought and took away on its gaming day."""
    day = Payout.objects.filter(establishment=house, gaming_day=of.gaming_day)
    stands = day.exclude(state=Payout.State.REVERSED)
    won = payout_queries.payouts_of(house.pk).filter(gaming_day=of.gaming_day, payee=of.payee)
    cash = CashDay.objects.filter(
        establishment=house, gaming_day=of.gaming_day, player=of.payee
    ).first()
    return {
        "day": of.gaming_day,
        "payouts": tell_payouts(house, list(won[:SHOWN])),
        "won": _total(stands.filter(payee=of.payee)),
        "paid": _total(stands.filter(payer=of.payee)),
        "brought": cash.cash_in if cash else 0,
        "taken": cash.cash_out if cash else 0,
    }


def _total(rows: Any) -> int:
    return rows.aggregate(total=Sum("amount"))["total"] or 0


def check_address(house: Establishment, row: Payout) -> str:
    """Where anybody who has the receipt reads what became of the payout."""
    [event] = read(establishment=house.pk, after=row.position - 1, limit=1)
    return receipts.address(house.pk, row.position, leaf_hash(event.body).hex())


def is_signed(row: Payout) -> bool:
    """Whether a checkpoint covers the payout, so that there is a proof."""
    try:
        proofs.covering(row.establishment_id, row.position)
    except proofs.NotCovered:
        return False
    return True


# The content of the guests' page: what everybody at the house may know, and nothing else.


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
    games = core_queries.games_at(house.pk, rows)
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
    paid = opening_forms.is_for_money(OPENINGS[game], chosen)
    by_rule: dict[str, list[dict[str, str]]] = {}
    for option in OPENINGS[game].options:
        if option.name != UNIT or paid:
            words = opening_forms.value_in_words(option, chosen[option.name], paid=paid)
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
    table = odds_queries.translate_table(hands())
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
    found = odds_queries.translate_answer(answer(game, query))
    return {"game": game, "title": TITLES[game], "answer": found, "is_beyond": is_beyond}
