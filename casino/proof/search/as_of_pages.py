"""Pages that show how things stood at a position of the ledger: a table, a pot, the whole house."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext_lazy

from casino.house.acts import accounts
from casino.house.acts.custody import sheets
from casino.house.acts.game_streams.loading import GameKey, Loaded, load
from casino.house.attendants.pseudonyms import tokens
from casino.kit.approvals.queries import names as people_named
from casino.kit.web import periods
from casino.kit.web.pages import Page, office
from casino.money.cash import balance_snapshots
from casino.money.cash.accounts import queries as cash_accounts
from casino.money.payouts.pots import pages as pots_page
from casino.money.payouts.pots import queries as pots
from casino.play.dice.models import DiceSet
from casino.proof.search import as_of, events
from casino.proof.search.as_of import Marks
from casino.proof.search.game_pages import game_at_event, oversees, slider
from casino.words.languages.date_fields import MomentField
from casino.words.languages.fields import WholeField
from casino.words.presenters import PRESENTERS, TITLES
from ledger import journal
from ledger.accounts import PLAYERS_MONEY, Kind
from ledger.canonical import INTEGER_MAX
from ledger.models import Transfer

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpResponse

    from casino.house.acts.custody.stream import Custody
    from casino.house.establishments.models import Establishment

NO_MARKS: Final = Marks((), (), ())
MOVES: Final = 400  # of a pot, marked on its slider


class WhenForm(forms.Form):
    """The form for a position of the ledger, or for a time by the house's clock."""

    position = WholeField(
        required=False, min_value=0, max_value=INTEGER_MAX, label=gettext_lazy("Ledger position")
    )
    time = MomentField(
        required=False,
        label=gettext_lazy("Or when"),
    )


def _when(page: Page) -> dict[str, Any]:
    """
    The context for the position that the address asks for; without one, the last.

    :raises Http404: while the house has no event.
    """
    head = journal.head(establishment=page.house.pk)
    if head < 0:
        raise Http404("Nothing was recorded at this house yet.")
    form = WhenForm(page.request.GET)
    query = form.cleaned_data if form.is_valid() else {}
    position = query.get("position")
    if query.get("time"):  # the field beside it says "at a time"
        position = events.position_at(page.house.pk, query["time"])
        position = 0 if position is None else position
    at = head if position is None else min(position, head)
    return {
        "form": form if form.errors else WhenForm(initial={"position": at}),
        "head": head,
        "position": at,
        "event": events.one(page.house.pk, at),
        "oversees": oversees(page),
        "audits": page.may("audit"),
        "slider": {**slider(0, head, at, NO_MARKS), "name": "position"},
    }


def _at(position: int | None) -> str:
    return "" if position is None else f"?position={position}"


# --- A table -----------------------------------------------------------------------------------


@office("look", section="floor", from_replica=True)
def table_at(page: Page, table: UUID) -> HttpResponse:
    """A table at a position: its game, who had the money, the float, the dice that lay there."""
    found = page.house.tables.filter(pk=table).first()
    if found is None:
        raise Http404("There is no such table at this house.")
    if plain := periods.plain_address(page, WhenForm.base_fields):
        return plain
    context = _when(page)
    position = context["position"]
    then = as_of.table(page.house.pk, found, position)
    held = accounts.table_float(str(found.pk))
    hidden = held in cash_accounts.hidden(page.house, page.role)
    before, after = then.near
    context |= {
        "table": found,
        "game": then.game and _game(page.house, then.game, position),
        "custody": _custody(then.custody),
        "float": None
        if hidden
        else balance_snapshots.through(page.house.pk, held, position).of(held.kind),
        "hidden": hidden,
        "dice": then.game and _dice(page.house, then.game),
        "before": _at(before),
        "after": _at(after),
        "changed": then.changed,
        "url": reverse("table-at", kwargs={"table": found.pk}),
    }
    return page.show("proof/search/table_at.html", context)


def _game(house: Establishment, then: Loaded, position: int) -> dict[str, Any]:
    """A game as far as it had come, with a link to its page at that event."""
    described = game_at_event(house, then, then.version)
    return {
        **described,
        "title": TITLES[then.ruleset.id],
        "url": reverse("game-at", kwargs={"game": then.key.game, "number": then.version}),
        "pot": reverse("pot-at", kwargs={"game": then.key.game}) + _at(position),
    }


def _custody(then: Custody) -> dict[str, Any]:
    shift = then.shift
    people = people_named({each for each in (shift and shift.holder,) if each})
    return {
        "stands": then.stands,
        "holder": people[shift.holder] if shift else "",
        "since": shift and shift.since,
        "opener": sheets.total(shift.opener) if shift else None,
        "fills": shift.fills if shift else 0,
        "credits": shift.credits if shift else 0,
    }


def _dice(house: Establishment, then: Loaded) -> DiceSet | None:
    return DiceSet.objects.filter(establishment=house, pk=then.place["dice_set"]).first()


# --- A pot -------------------------------------------------------------------------------------


@office("look", section="pots", from_replica=True)
def pot_at(page: Page, game: UUID) -> HttpResponse:
    """A pot's equation at a position."""
    loaded = load(GameKey(page.house.pk, game))
    if plain := periods.plain_address(page, WhenForm.base_fields):
        return plain
    context = _when(page)
    position = context["position"]
    equation = pots.at_position(page.house.pk, [game], position)[game]
    moved = _positions_of_moves(page.house, game)
    before = [each for each in moved if each < position]
    after = [each for each in moved if each > position]
    first, last = loaded.opening.position, max(loaded.position, moved[-1] if moved else 0)
    # The slider covers the pot's own time; it reaches to the ledger's ends if the position lies
    # outside.
    least, most = first if position >= first else 0, last if position <= last else context["head"]
    along = Marks((), (), moved[:MOVES])
    number = as_of.events_by(loaded, position)
    context |= {
        "title": TITLES[loaded.ruleset.id],
        "table": page.house.tables.get(pk=loaded.place["table"]).name,
        "game": game,
        "terms": pots_page.terms(equation),
        "adds_up": equation.adds_up,
        "before": _at(before[-1] if before else None),
        "after": _at(after[0] if after else None),
        "changed": max((each for each in moved if each <= position), default=None),
        "slider": {**slider(least, most, position, along), "name": "position"},
        "url": reverse("pot-at", kwargs={"game": game}),
        "number": number,
        "game_url": reverse("game-at", kwargs={"game": game, "number": number}) if number else "",
        "account": accounts.pot(game).name,
    }
    return page.show("proof/search/pot_at.html", context)


def _positions_of_moves(house: Establishment, game: UUID) -> list[int]:
    """The positions at which coins came into the pot or left it; as many as there are payments."""
    name = accounts.pot(game).name
    rows = Transfer.objects.filter(establishment=house.pk)
    debits = rows.filter(debit_kind=Kind.POT, debit_name=name)
    credited = rows.filter(credit_kind=Kind.POT, credit_name=name)
    found = {
        *debits.values_list("position", flat=True),
        *credited.values_list("position", flat=True),
    }
    return sorted(found)


# --- The house ---------------------------------------------------------------------------------


@office("audit", section="accounts", from_replica=True)
def house_at(page: Page) -> HttpResponse:
    """The house at a position: account groups, running tables, open pots, rollovers, gaming day."""
    if plain := periods.plain_address(page, WhenForm.base_fields):
        return plain
    context = _when(page)
    position = context["position"]
    then = as_of.house(page.house, position)
    tables = dict(page.house.tables.values_list("pk", "name"))
    equations = pots.at_position(
        page.house.pk, [each.key.game for each in then.games.values()], position
    )
    lots = [
        {
            "title": TITLES[kind],
            "lot": lot,
            "since": datetime.fromisoformat(lot.since),
            "url": reverse("pot-lineage", kwargs={"game": lot.game}),
        }
        for kind, found in then.lots.items()
        for lot in found
    ]
    context |= {
        "chart": cash_accounts.chart(page.house, page.role, position),
        "players_kinds": PLAYERS_MONEY,
        "day": then.day,
        "running": tokens.resolve(
            page.house.pk,
            [
                _running(loaded, tables[table], equations[loaded.key.game].balance)
                for table, loaded in sorted(then.games.items(), key=lambda item: tables[item[0]])
            ],
        ),
        "lots": lots,
        "before": _at(position - 1 if position else None),
        "after": _at(position + 1 if position < context["head"] else None),
        "url": reverse("house-at"),
    }
    return page.show("proof/search/house_at.html", context)


def _running(then: Loaded, table: str, pot: int) -> dict[str, Any]:
    """A running game at that position, with tokens of players."""
    presenter, view = PRESENTERS[then.ruleset.id], then.view
    return {
        "title": TITLES[then.ruleset.id],
        "table": table,
        "round": view["round"],
        "players": len(view["stakes"]),
        "pot": pot,
        "sentence": presenter.upcoming(then, view)["sentence"],
        "url": reverse("game-at", kwargs={"game": then.key.game, "number": then.version}),
        "since": _since(then),
    }


def _since(then: Loaded) -> datetime:
    return then.opening.provenance.occurred_at
