"""Pages of how a table, a pot or the house stood at a position, and of the lineage of a pot."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.house.acts import accounts, custody
from casino.house.acts.game_streams.loading import GameKey, Loaded, load
from casino.house.attendants.pseudonyms import tokens
from casino.kit.approvals.queries import names as people_named
from casino.kit.web import periods
from casino.kit.web.pages import Page, office
from casino.money.cash import balance_snapshots
from casino.money.cash.accounts import queries as cash_accounts
from casino.money.payouts import pages as pots_page
from casino.money.payouts import pot_equation as pots
from casino.money.payouts.pot_equation import CALLED
from casino.play.core.models import GameCard
from casino.play.core.stories import round_url
from casino.play.dice.models import DiceSet
from casino.play.settlement.models import Payout
from casino.proof.search import as_of, events
from casino.proof.search.as_of import Marks
from casino.proof.search.game_pages import game_at_event, oversees, slider
from casino.proof.search.models import LotLine
from casino.words.languages.fields import MomentField, WholeField
from casino.words.presenters import PRESENTERS, TITLES
from games.payments import HOUSE, POT, ROLLOVER
from ledger import journal
from ledger.accounts import PLAYERS_MONEY, Kind
from ledger.canonical import INTEGER_MAX
from ledger.models import Transfer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from uuid import UUID

    from django.http import HttpResponse

    from casino.house.acts.custody import Custody
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
        "opener": custody.total_of_sheet(shift.opener) if shift else None,
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


# The page of a pot's lineage: who put in what and when, what left, and the pots it rolled from.


@office("look", section="pots", from_replica=True)
def of_pot(page: Page, game: UUID) -> HttpResponse:
    """The tree of a pot: each contribution with its event, each lot with the pot that it left."""
    load(GameKey(page.house.pk, game))  # not found for a game of another house
    root = lineage_of_pot(page.house.pk, game)
    tables = dict(page.house.tables.values_list("pk", "name"))
    holds = pots.of_game(page.house.pk, game).balance
    takers = _takers(page, root)
    described = {
        "pot": {
            **_describe(root, tables),
            "left": [
                {**_lot(lot), "called": takers.get(lot.taker, "") if lot.taker else ""}
                for lot in root.left
            ],
        },
        "comes_to": sum(leaves(root)),
    }
    context = {
        **tokens.resolve(page.house.pk, described),
        "holds": holds,
        "adds_up": described["comes_to"] == holds,
        "since": root.since,
        "game": game,
    }
    return page.show("proof/search/lineage.html", context)


def _describe(pot: Pot, tables: Mapping[UUID, str]) -> dict[str, Any]:
    card = pot.card
    return {
        "game": pot.game,
        "title": str(TITLES.get(card.ruleset, card.ruleset)) if card else "",
        "table": tables.get(card.table_id, "") if card else "",
        "opened": card and card.opened_at,
        "day": card and card.gaming_day,
        "running": card is not None and card.status == GameCard.Status.OPEN,
        "url": reverse("pot-lineage", kwargs={"game": pot.game}),
        "log": reverse("floor-log", args=[pot.game]),
        "put_in": pot.put_in,
        "rolled_in": pot.rolled_in,
        "went": pot.went,
        "rolled_out": pot.rolled_out,
        "holds": pot.holds,
        "voided": pot.voided,
        "players": [
            {"who": who, "put": put, "got": got} for who, (put, got) in pot.players().items()
        ],
        "moved": [_describe_move(pot, each) for each in pot.moved],
        "came": [
            {
                **_lot(branch.lot),
                "pot": _describe(branch.pot, tables) if branch.pot else None,
            }
            for branch in pot.came
        ],
        "left": [_lot(lot) for lot in pot.left],
        "awaited": [_lot(lot) for lot in pot.awaited],
    }


def _describe_move(pot: Pot, each: Moved) -> dict[str, Any]:
    return {
        "who": str(CALLED.get(each.who, each.who)),
        "came": each.coins > 0,
        "coins": abs(each.coins),
        "round": each.round,
        "cause": each.cause,
        "position": each.position,
        "rules": each.rules.split(),
        "at": each.at,
        "url": f"{round_url(pot.game, each.round)}?step={each.cause}",
        "event": reverse("game-at", kwargs={"game": pot.game, "number": each.cause}),
    }


def _lot(lot: LotLine) -> dict[str, Any]:
    return {
        "amount": lot.amount,
        "since": lot.since,
        "state": lot.state,
        "event": reverse("game-at", kwargs={"game": lot.game, "number": lot.event}),
        "source": reverse("pot-lineage", kwargs={"game": lot.game}),
        "taker": reverse("pot-lineage", kwargs={"game": lot.taker}) if lot.taker else "",
    }


def _takers(page: Page, root: Pot) -> dict[UUID, str]:
    """The games that took what this pot left, with their titles."""
    games = {lot.taker for lot in root.left if lot.taker}
    cards = GameCard.objects.filter(establishment=page.house, game__in=games)
    return {
        card.game: _("%(game)s at %(table)s")
        % {"game": TITLES[card.ruleset], "table": card.table.name}
        for card in cards.select_related("table")
    }


# Where the coins of a pot came from: who put in what and when, what left it, and what rolled in.
#
# Coins in a pot are alike: nobody can say whose coin was won, or whose is left. So there are no
# shares, only facts: each payment into and out of a pot as it is booked, with the event of the game
# that decided it; and each lot that rolled in, with the pot that it left, described the same way.
# Over a whole tree, what came in minus what went out is what the pot holds.


DEPTH: Final = 6  # pots one behind the other; those further back have pages of their own


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """
    Coins that came into a pot or left it, as the game decided and settlement booked them.

    :param who: a player's token, ``house`` for a fee, ``rollover``.
    :param coins: below 0 if they left.
    """

    who: str
    coins: int
    round: int
    cause: int
    position: int
    rules: str
    at: datetime


@dataclass(slots=True, kw_only=True)
class Pot:
    """
    A pot and its payments and lots.

    :param moved: payments from players, and payments to players or the house, in order.
    :param rolled: payments from and to the rollover.
    :param voided: coins of payments that were voided; nothing else counts them.
    :param came: the lots that rolled in.
    :param left: the lots that rolled out and stand.
    :param awaited: lots that are still to come.
    """

    game: UUID
    card: GameCard | None
    moved: list[Moved] = field(default_factory=list)
    rolled: list[Moved] = field(default_factory=list)
    voided: int = 0
    came: list[Branch] = field(default_factory=list)
    left: list[LotLine] = field(default_factory=list)
    awaited: list[LotLine] = field(default_factory=list)

    @property
    def put_in(self) -> int:
        return sum(each.coins for each in self.moved if each.coins > 0)

    @property
    def rolled_in(self) -> int:
        return sum(branch.lot.amount for branch in self.came)

    @property
    def went(self) -> int:
        """Coins that went to players and in fees."""
        return -sum(each.coins for each in self.moved if each.coins < 0)

    @property
    def rolled_out(self) -> int:
        return sum(lot.amount for lot in self.left)

    @property
    def holds(self) -> int:
        """Coins that the pot holds once everything is booked."""
        return self.put_in + self.rolled_in - self.went - self.rolled_out

    @property
    def booked(self) -> int:
        """Coins that are booked; for the rollover its payments count, and not its lots."""
        return sum(each.coins for each in (*self.moved, *self.rolled))

    @property
    def since(self) -> datetime | None:
        """Since when the oldest coins that rolled in have been rolling, as far back as shown."""
        times = [each.lot.since for each in self.came]
        times += [at for each in self.came if each.pot and (at := each.pot.since)]
        return min(times, default=None)

    def players(self) -> Mapping[str, tuple[int, int]]:
        """The coins that each player put in and got, the largest contribution first."""
        sums: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
        for each in self.moved:
            if each.who != HOUSE:
                sums[each.who][each.coins < 0] += abs(each.coins)
        ordered = sorted(sums.items(), key=lambda item: (-item[1][0], item[0]))
        return {who: (put, got) for who, (put, got) in ordered}


@dataclass(slots=True)
class Branch:
    """A lot that rolled in. `pot` is None if it is deeper than `depth`."""

    lot: LotLine
    pot: Pot | None = None


def lineage_of_pot(establishment: UUID, game: UUID, *, depth: int = DEPTH) -> Pot:
    """
    The lineage of a game's pot. Four queries for each level of pots, however many they are.

    :param depth: how many pots one behind the other.
    """
    root = Pot(game=game, card=None)
    level, seen = {game: root}, {game}
    for deeper in range(depth - 1, -1, -1):
        _fill(establishment, level)
        below: dict[UUID, Pot] = {}
        for pot in level.values():
            for branch in pot.came:
                source = branch.lot.game
                if deeper and source not in seen:
                    branch.pot = below[source] = Pot(game=source, card=None)
                    seen.add(source)
        if not below:
            break
        level = below
    return root


def _fill(establishment: UUID, pots: Mapping[UUID, Pot]) -> None:
    games = list(pots)
    for card in GameCard.objects.filter(establishment=establishment, game__in=games):
        pots[card.game].card = card
    for lot in LotLine.objects.filter(establishment=establishment, taker__in=games).order_by(
        "since", "position"
    ):
        if lot.taker is None:
            continue
        if lot.state == LotLine.State.TAKEN:
            pots[lot.taker].came.append(Branch(lot))
        elif lot.state == LotLine.State.CLAIMED:
            pots[lot.taker].awaited.append(lot)
    lots = LotLine.objects.filter(establishment=establishment, game__in=games)
    for lot in lots.exclude(state=LotLine.State.UNDONE).order_by("event"):
        pots[lot.game].left.append(lot)
    _pay(establishment, pots)


def _pay(establishment: UUID, pots: Mapping[UUID, Pot]) -> None:
    rows = Payout.objects.filter(establishment=establishment, game__in=list(pots))
    for row in rows.order_by("position", "seq"):
        if POT not in {row.payer, row.payee}:
            continue
        pot = pots[row.game]
        if row.state == Payout.State.REVERSED:
            pot.voided += row.amount
            continue
        came = row.payee == POT
        other = row.payer if came else row.payee
        moved = Moved(
            who=other,
            coins=row.amount if came else -row.amount,
            round=row.round,
            cause=row.cause,
            position=row.position,
            rules=row.rules,
            at=row.booked_at,
        )
        (pot.rolled if other == ROLLOVER else pot.moved).append(moved)


def leaves(pot: Pot, *, but: LotLine | None = None) -> Iterator[int]:
    """
    Every fact of a tree as coins: payments in and out, coins that still lie in pots further back,
    and lots whose pots are not shown. Their sum is what the pot holds.

    :param but: the lot by which this pot was reached from the pot that has it.
    """
    yield from (each.coins for each in pot.moved)
    yield from (-lot.amount for lot in pot.left if but is None or lot.pk != but.pk)
    for branch in pot.came:
        if branch.pot is None:
            yield branch.lot.amount
        else:
            yield from leaves(branch.pot, but=branch.lot)
            yield -branch.pot.booked
