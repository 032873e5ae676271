"""The lists of a chain, by what they are of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.chain import summaries
from casino.chain.models import (
    ChainHouse,
    ChainMember,
    DiceTransfer,
    HouseSummary,
    Proposal,
    RollOutHouse,
)
from casino.house.attendants.models import StraySignIn
from casino.kit.web.listings.listing import (
    API,
    EVERYWHERE,
    FILE,
    FOR_PROGRAMS,
    ChoiceFilter,
    Column,
    IdFilter,
    Listing,
    Sign,
    TextFilter,
    filters,
)
from casino.reports.gaming_days.models import GamingDay
from casino.settings.staff.listings import SIGN_INS as HOUSE_SIGN_INS
from casino.words.languages import amounts, locales

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime, timedelta

    from django.db.models import QuerySet

    from casino.house.establishments.models import Establishment
    from casino.kit.web.listings.listing import Surface, Viewer
    from casino.words.languages.amounts import Coins

__all__ = ["DAYS", "HOUSES", "PEOPLE", "PROPOSALS", "ROLLED_OUT", "SIGN_INS", "TRANSFERS"]


# The list of the gaming days of one house, for people of its chain: figures alone.


DAY_SIGNS: Final = {
    "open": Sign("off", gettext_lazy("open")),
    "closing": Sign("wait", gettext_lazy("being closed")),
    "closed": Sign("well", gettext_lazy("closed")),
}


def _days(viewer: Viewer) -> QuerySet[GamingDay]:
    """The days of a house, if it is of the person's chain; figures only, and no names."""
    rows = GamingDay.objects.filter(establishment=viewer.house)
    if viewer.person.chain is None:
        return rows.none()
    return rows.filter(establishment__chain_house__chain=viewer.person.chain)


DAYS: Final = Listing[GamingDay, GamingDay](
    name="chain-days",
    title=gettext_lazy("Gaming days"),
    about=gettext_lazy("The gaming days of a house of the chain, and what each came to."),
    rows=_days,
    order=("-day",),
    columns=(
        Column(name="day", title=gettext_lazy("Day"), kind="day", order=("day",),
               style="row-name"),
        Column(name="state", title=gettext_lazy("State"), signs=DAY_SIGNS),
        Column(name="rounds", title=gettext_lazy("Rounds"), kind="number"),
        Column(name="staked", title=gettext_lazy("Turnover"), kind="money"),
        Column(name="paid", title=gettext_lazy("Paid"), kind="money"),
        Column(name="fees", title=gettext_lazy("Fees"), kind="money"),
        Column(name="over_short", title=gettext_lazy("Over/short"), kind="money"),
        Column(name="closed_at", title=gettext_lazy("Closed"), kind="moment", style="soft"),
        Column(name="closed_position", title=gettext_lazy("Ledger position"), kind="number",
               on=FOR_PROGRAMS),
    ),
    empty=gettext_lazy("No gaming day yet. Each stands here from its first entry on."),
    names_players=False,
    sees=("audit",),
    section="chain-houses",
)  # fmt: skip


# The list of dice sets that move between houses of a chain.


State = DiceTransfer.State
TRANSFER_STATES: Final = {
    State.PROPOSED.value: Sign("off", State.PROPOSED.label),
    State.LEAVING.value: Sign("wait", State.LEAVING.label),
    State.SENT.value: Sign("wait", State.SENT.label),
    State.ARRIVED.value: Sign("well", State.ARRIVED.label),
    State.REFUSED.value: Sign("alarm", State.REFUSED.label),
}


def _rows(viewer: Viewer) -> QuerySet[DiceTransfer]:
    if viewer.person.chain is None:
        return DiceTransfer.objects.none()
    rows = DiceTransfer.objects.filter(proposal__chain=viewer.person.chain)
    return rows.select_related("source", "target")


TRANSFERS: Final = Listing[DiceTransfer, DiceTransfer](
    name="chain-dice",
    title=gettext_lazy("Dice between houses"),
    about=gettext_lazy("The dice sets that went from one house of the chain to another."),
    rows=_rows,
    order=("-changed_at", "proposal_id"),
    filters=filters(state=ChoiceFilter(title=gettext_lazy("State"), choices=State.choices)),
    columns=(
        Column(name="proposal", on=API, value=lambda row: row.pk),
        Column(name="number", title=gettext_lazy("Dice set"), style="row-name",
               order=("number",),
               link=lambda row: reverse("chain:proposal", args=[row.pk])),
        Column(name="dice", title=gettext_lazy("Dice")),
        Column(name="source", on=API, value=lambda row: row.source_id),
        Column(name="target", on=API, value=lambda row: row.target_id),
        Column(name="from", title=gettext_lazy("From"), value=lambda row: row.source.name),
        Column(name="to", title=gettext_lazy("To"), value=lambda row: row.target.name),
        Column(name="state", title=gettext_lazy("State"), signs=TRANSFER_STATES),
        Column(name="why", title=gettext_lazy("Why it stayed"), style="because wide"),
        Column(name="changed_at", title=gettext_lazy("Last step"), kind="moment", style="soft",
               order=("changed_at",)),
    ),
    empty=gettext_lazy(
        "No dice set has moved yet. A manager of the chain proposes one, another approves it."
    ),
    names_players=False,
    sees=("audit",),
    section="chain-dice",
)  # fmt: skip


# Lists of the people of a chain: their roles, and when they signed in.


def _members(viewer: Viewer) -> QuerySet[ChainMember]:
    if viewer.person.chain is None:
        return ChainMember.objects.none()
    return ChainMember.objects.filter(chain=viewer.person.chain).select_related("attendant")


PEOPLE: Final = Listing[ChainMember, ChainMember](
    name="chain-people",
    title=gettext_lazy("People of the chain"),
    about=gettext_lazy("Who has or had a role in the chain, and since when."),
    rows=_members,
    order=("-since", "id"),
    columns=(
        Column(name="attendant", on=API, value=lambda row: row.attendant_id),
        Column(name="name", title=gettext_lazy("Who"), value=lambda row: str(row.attendant),
               style="row-name"),
        Column(name="username", title=gettext_lazy("Sign-in"),
               value=lambda row: row.attendant.username, style="soft",
               order=("attendant__username",)),
        Column(name="role", title=gettext_lazy("Role"),
               display=lambda row: str(row.get_role_display()), order=("role",)),
        Column(name="since", title=gettext_lazy("Since"), kind="moment", order=("since",)),
        Column(name="until", title=gettext_lazy("Until"), kind="moment", order=("until",)),
    ),
    names_players=False,
    sees=("audit",),
    section="chain-people",
)  # fmt: skip


def _sign_ins(viewer: Viewer) -> QuerySet[StraySignIn]:
    if viewer.person.chain is None:
        return StraySignIn.objects.none()
    rows = StraySignIn.objects.filter(chain=viewer.person.chain)
    return rows.select_related("attendant", "by")


SIGN_INS: Final = Listing[StraySignIn, Any](
    name="chain-sign-ins",
    title=gettext_lazy("Sign-in log of the chain"),
    about=gettext_lazy("When people of the chain signed in and from where, and how it went."),
    rows=_sign_ins,
    order=("-at", "-id"),
    columns=HOUSE_SIGN_INS.columns,
    empty=gettext_lazy(
        "No sign-in is on record here. Each appears with its time, place and outcome."
    ),
    names_players=False,
    sees=("audit",),
    section="chain-people",
)  # fmt: skip


# The list of a chain's houses, from their summaries; one query, however many houses there are.


NEW, OPEN, CLOSING, LATE, CLOSED = "new", "open", "closing", "late", "closed"
HOUSE_STATES: Final = {
    OPEN: Sign("well", gettext_lazy("open")),
    CLOSING: Sign("wait", gettext_lazy("being closed")),
    LATE: Sign("alarm", gettext_lazy("late")),
    CLOSED: Sign("off", gettext_lazy("closed")),
    NEW: Sign("off", gettext_lazy("nothing yet")),
}
"""The state of a house's gaming day; late: the day is over and nobody has closed it (B4)."""
ATTENTION: Final = (
    ("any", gettext_lazy("whatever needs somebody")),
    ("approvals", gettext_lazy("approvals that wait")),
    ("alarms", gettext_lazy("alarms about dice")),
    ("stopped", gettext_lazy("payouts stopped")),
    ("lag", gettext_lazy("workers behind")),
    ("old", gettext_lazy("old figures")),
)
MINUTE: Final = 60  # seconds
HOUR: Final = 60 * MINUTE
DAY: Final = 24 * HOUR
BEHIND: Final = 200  # events; a worker that runs is seldom so far behind


@dataclass(frozen=True, slots=True)
class HouseItem:
    """A house as an item of the list: its summary, told at a moment."""

    row: HouseSummary
    now: datetime
    coins: Coins

    @property
    def house(self) -> Establishment:
        return self.row.establishment

    @property
    def name(self) -> str:
        return self.house.name

    @property
    def url(self) -> str:
        return reverse("chain:house", args=[self.row.pk])

    @property
    def state(self) -> str:
        row = self.row
        if row.summed_at is None or row.opens_at is None or row.late_from is None:
            return NEW
        if row.closing:
            return CLOSING
        if self.now < row.opens_at:
            return CLOSED
        return OPEN if self.now < row.late_from else LATE

    @property
    def sign(self) -> Sign:
        return HOUSE_STATES[self.state]

    @property
    def age(self) -> str:
        """How old the figures are, in words; "" if there are none yet."""
        made = self.row.summed_at
        return short(self.now - made) if made else ""

    @property
    def old(self) -> bool:
        due = self.row.due_at
        return due is None or self.now - due > summaries.OLD

    @property
    def signed_age(self) -> str:
        signed = self.row.signed_at
        return short(self.now - signed) if signed else ""

    @property
    def unsigned(self) -> int:
        return max(0, self.row.position + 1 - self.row.signed_size)

    @property
    def behind(self) -> bool:
        return self.row.lag > BEHIND

    @property
    def troubles(self) -> list[Sign]:
        """What needs somebody, the worst first."""
        row, found = self.row, []
        if row.unsound:
            found.append(Sign("alarm", gettext_lazy("records differ")))
        if row.stopped:
            found.append(Sign("alarm", gettext_lazy("payouts stopped")))
        if row.parked:
            found.append(Sign("alarm", gettext_lazy("events parked")))
        if self.behind:
            found.append(Sign("wait", gettext_lazy("workers behind")))
        return found

    def money(self, name: str) -> str:
        """An amount as the house itself writes it."""
        return self.coins.written(getattr(self.row, name))


def short(age: timedelta) -> str:
    """A length of time in the largest unit that fits, in few letters: many stand in a column."""
    seconds = max(0, int(age.total_seconds()))
    for size, text in ((DAY, _("%(n)s d")), (HOUR, _("%(n)s h")), (MINUTE, _("%(n)s min"))):
        if seconds >= size:
            return text % {"n": seconds // size}
    return _("%(n)s s") % {"n": seconds}


def items(_viewer: Viewer, rows: Sequence[HouseSummary]) -> list[HouseItem]:
    now = timezone.now()
    return [HouseItem(row, now, coins_of(row.establishment)) for row in rows]


def coins_of(house: Establishment) -> Coins:
    """How a house writes amounts, with the marks of the page's locale."""
    with locales.use_within(
        locales.current(), house.currency_symbol, house.coin_digits, code=house.currency_code
    ):
        return amounts.coins()


def of_chain(chain: Any) -> QuerySet[HouseSummary]:
    """The summaries of a chain's houses; of no chain (None), none."""
    if chain is None:  # a filter by None would find the houses of no chain
        return HouseSummary.objects.none()
    rows = HouseSummary.objects.filter(establishment__chain_house__chain=chain)
    return rows.select_related("establishment")


def in_state(rows: QuerySet[HouseSummary], state: str) -> QuerySet[HouseSummary]:
    """The rows whose state is this one now, as `HouseItem.state` tells it."""
    now = timezone.now()
    known = Q(summed_at__isnull=False, opens_at__isnull=False)
    match state:
        case "new":
            return rows.exclude(known)
        case "closing":
            return rows.filter(known, closing=True)
        case "closed":
            return rows.filter(known, closing=False, opens_at__gt=now)
        case "open":
            return rows.filter(known, closing=False, opens_at__lte=now, late_from__gt=now)
        case _:
            return rows.filter(known, closing=False, late_from__lte=now)


def needing(rows: QuerySet[HouseSummary], what: str) -> QuerySet[HouseSummary]:
    """The rows of houses in which something needs somebody."""
    now = timezone.now()
    each = {
        "approvals": Q(approvals__gt=0),
        "alarms": Q(alarms__gt=0),
        "stopped": Q(stopped=True) | Q(unsound=True) | Q(parked__gt=0),
        "lag": Q(lag__gt=BEHIND),
        "old": summaries.overdue(now),
    }
    wanted = Q()
    for name, found in each.items():
        if what in {name, "any"}:
            wanted |= found
    if what == "any":
        wanted |= Q(held__gt=0) | Q(disputes__gt=0)
    return rows.filter(wanted)


def currencies(house: Establishment) -> list[tuple[str, str]]:
    """The currencies of the chain's houses. :param house: the chain (`Chain.as_house`)."""
    rows = ChainHouse.objects.filter(chain=house.pk).values_list(*summaries.CURRENCY)
    return sorted({(key_of(*each), label_of(*each)) for each in rows.distinct()})


def key_of(code: str, symbol: str, digits: int) -> str:
    """What tells a currency from others: two houses with the same sign may count in other coins."""
    return f"{code}.{symbol}.{digits}"


def label_of(code: str, symbol: str, digits: int) -> str:
    return f"{code or symbol}" if not digits or code else f"{symbol} ({digits})"


def in_currency(rows: QuerySet[Any], key: str) -> QuerySet[Any]:
    code, _dot, rest = key.partition(".")
    symbol, _dot, digits = rest.rpartition(".")
    if not digits.isascii() or not digits.isdigit():
        return rows.none()
    return rows.filter(
        establishment__currency_code=code,
        establishment__currency_symbol=symbol,
        establishment__coin_digits=int(digits),
    )


def _with_name(rows: QuerySet[HouseSummary], text: str) -> QuerySet[HouseSummary]:
    return rows.filter(establishment__name__icontains=text.strip())


def _row(name: str) -> Any:
    return lambda item: getattr(item.row, name)


def _money(
    name: str, title: Any, on: frozenset[Surface] = EVERYWHERE
) -> Iterable[Column[HouseItem]]:
    """An amount in the house's own coins; sorted within its currency, never across."""
    yield Column(
        name=name, title=title, kind="number", value=_row(name), style="money",
        display=lambda item: item.money(name), order=(*summaries.CURRENCY, name), on=on,
    )  # fmt: skip
    yield Column(
        name=f"{name}_coins", title=title, kind="number", value=_row(name), on=FILE,
    )  # fmt: skip


def _count(name: str, title: Any, **more: Any) -> Column[HouseItem]:
    return Column(name=name, title=title, kind="number", value=_row(name), order=(name,), **more)


HOUSES: Final = Listing[HouseSummary, HouseItem](
    name="chain-houses",
    title=gettext_lazy("Houses"),
    about=gettext_lazy("The houses of the chain, from the summaries that workers keep."),
    rows=lambda viewer: of_chain(viewer.person.chain),
    items=items,
    order=("establishment__name", "establishment_id"),
    filters=filters(
        name=TextFilter(title=gettext_lazy("House"), keep=_with_name),
        state=ChoiceFilter(title=gettext_lazy("State"), keep=in_state,
                           choices=[(name, sign.word) for name, sign in HOUSE_STATES.items()]),
        needs=ChoiceFilter(title=gettext_lazy("Needs somebody"), keep=needing, choices=ATTENTION),
        currency=ChoiceFilter(title=gettext_lazy("Currency"), keep=in_currency,
                              choices=currencies),
    ),
    columns=(
        Column(name="establishment", title=gettext_lazy("Id"), value=lambda item: item.row.pk,
               on=FOR_PROGRAMS),
        Column(name="name", title=gettext_lazy("House"), link=lambda item: item.url,
               order=("establishment__name",), template="chain/_house_name.html",
               style="row-name"),
        Column(name="state", title=gettext_lazy("Day"), signs=HOUSE_STATES),
        Column(name="as_of", title=gettext_lazy("As of"), kind="moment",
               value=_row("summed_at"), order=("summed_at",),
               template="chain/_age.html", style="named"),
        Column(name="gaming_day", title=gettext_lazy("Gaming day"), kind="day",
               value=_row("gaming_day"), on=FOR_PROGRAMS),
        Column(name="currency", title=gettext_lazy("Currency"), on=FOR_PROGRAMS,
               value=lambda item: item.house.currency_code or item.house.currency_symbol),
        *_money("staked", gettext_lazy("Turnover")),
        _count("throws", gettext_lazy("Throws")),
        _count("games", gettext_lazy("Games"), on=FOR_PROGRAMS),
        _count("running", gettext_lazy("Running"), on=FOR_PROGRAMS),
        *_money("fees", gettext_lazy("Fees"), on=FOR_PROGRAMS),
        *_money("pots", gettext_lazy("Pots")),
        *_money("owed", gettext_lazy("Owed")),
        _count("approvals", gettext_lazy("Approvals")),
        _count("alarms", gettext_lazy("Alarms")),
        _count("held", gettext_lazy("Payouts held"), on=FOR_PROGRAMS),
        _count("disputes", gettext_lazy("Disputes"), on=FOR_PROGRAMS),
        _count("parked", gettext_lazy("Events parked"), on=FOR_PROGRAMS),
        Column(name="stopped", title=gettext_lazy("Payouts stopped"), value=_row("stopped"),
               on=FOR_PROGRAMS),
        Column(name="unsound", title=gettext_lazy("Records differ"), value=_row("unsound"),
               on=FOR_PROGRAMS),
        _count("lag", gettext_lazy("Behind")),
        Column(name="signed_at", title=gettext_lazy("Signed"), kind="moment",
               value=_row("signed_at"), order=("signed_at",),
               template="chain/_signed.html", style="named"),
        Column(name="unsigned", title=gettext_lazy("Not signed"), kind="number",
               on=FOR_PROGRAMS),
        Column(name="position", title=gettext_lazy("Ledger position"), kind="number",
               value=_row("position"), on=API),
        Column(name="old", title=gettext_lazy("Old"), on=FOR_PROGRAMS),
    ),
    empty=gettext_lazy(
        "No house belongs to the chain yet. Whoever looks after the machine lets one join it."
    ),
    names_players=False,
    sees=("audit",),
    section="chain-houses",
)  # fmt: skip
FIGURES: Final = {
    "staked": (gettext_lazy("Turnover"), True),
    "paid": (gettext_lazy("Paid"), True),
    "fees": (gettext_lazy("Fees"), True),
    "pots": (gettext_lazy("Pots"), True),
    "owed": (gettext_lazy("Owed"), True),
    "throws": (gettext_lazy("Throws"), False),
    "rounds": (gettext_lazy("Rounds"), False),
    "games": (gettext_lazy("Games"), False),
    "approvals": (gettext_lazy("Approvals"), False),
    "lag": (gettext_lazy("Behind"), False),
}
"""What houses are compared by: title, and whether it is money."""


def greatest(rows: QuerySet[HouseSummary], figure: str, most: int) -> list[HouseSummary]:
    """The houses with the greatest figures. Of money, `rows` must be of one currency."""
    return list(rows.order_by(F(figure).desc(), "establishment__name", "establishment")[:most])


# Lists of what a chain's managers propose, and of the houses of a roll-out.


PROPOSAL_STATES: Final = {
    Proposal.State.WAITING.value: Sign("wait", Proposal.State.WAITING.label),
    Proposal.State.APPROVED.value: Sign("well", Proposal.State.APPROVED.label),
    Proposal.State.REJECTED.value: Sign("off", Proposal.State.REJECTED.label),
    Proposal.State.WITHDRAWN.value: Sign("off", Proposal.State.WITHDRAWN.label),
}
BECAME: Final = {
    RollOutHouse.State.PROPOSED.value: Sign("off", RollOutHouse.State.PROPOSED.label),
    RollOutHouse.State.WAITING.value: Sign("wait", RollOutHouse.State.WAITING.label),
    RollOutHouse.State.RUNNING.value: Sign("wait", RollOutHouse.State.RUNNING.label),
    RollOutHouse.State.DONE.value: Sign("well", RollOutHouse.State.DONE.label),
    RollOutHouse.State.UNCHANGED.value: Sign("well", RollOutHouse.State.UNCHANGED.label),
    RollOutHouse.State.REFUSED.value: Sign("alarm", RollOutHouse.State.REFUSED.label),
}


def _proposals(viewer: Viewer) -> QuerySet[Proposal]:
    if viewer.person.chain is None:
        return Proposal.objects.none()
    rows = Proposal.objects.filter(chain=viewer.person.chain)
    return rows.select_related("asked_by", "decided_by")


PROPOSALS: Final = Listing[Proposal, Proposal](
    name="chain-proposals",
    title=gettext_lazy("Proposals"),
    about=gettext_lazy("What managers of the chain proposed, and who approved it."),
    rows=_proposals,
    order=("-asked_at", "-id"),
    filters=filters(
        state=ChoiceFilter(title=gettext_lazy("State"), choices=Proposal.State.choices),
        kind=ChoiceFilter(title=gettext_lazy("What"), choices=Proposal.Kind.choices),
    ),
    columns=(
        Column(name="id", on=API),
        Column(name="asked_at", title=gettext_lazy("Proposed"), kind="moment", style="soft",
               order=("asked_at", "id")),
        Column(name="kind", title=gettext_lazy("What"), order=("kind",), style="row-name",
               display=lambda row: str(row.get_kind_display()),
               link=lambda row: reverse("chain:proposal", args=[row.pk])),
        Column(name="state", title=gettext_lazy("State"), signs=PROPOSAL_STATES),
        Column(name="asked_by", title=gettext_lazy("By"), value=lambda row: str(row.asked_by)),
        Column(name="decided_by", title=gettext_lazy("Decided by"),
               value=lambda row: str(row.decided_by) if row.decided_by else None),
        Column(name="decided_at", title=gettext_lazy("Decided"), kind="moment",
               on=FOR_PROGRAMS),
        Column(name="reason", title=gettext_lazy("Reason"), style="because wide"),
        Column(name="answer", title=gettext_lazy("Answer"), on=FOR_PROGRAMS),
    ),
    empty=gettext_lazy(
        "Nothing was proposed yet. Settings for houses and people of the chain stand here, with"
        " who proposed and who approved them."
    ),
    names_players=False,
    sees=("audit",),
    section="chain-proposals",
)  # fmt: skip


def _houses(viewer: Viewer) -> QuerySet[RollOutHouse]:
    if viewer.person.chain is None:
        return RollOutHouse.objects.none()
    rows = RollOutHouse.objects.filter(proposal__chain=viewer.person.chain)
    return rows.select_related("establishment")


ROLLED_OUT: Final = Listing[RollOutHouse, RollOutHouse](
    name="chain-roll-out",
    title=gettext_lazy("Houses of the roll-out"),
    about=gettext_lazy("What became of the settings at each house."),
    rows=_houses,
    order=("establishment__name", "establishment_id", "proposal_id"),
    filters=filters(
        proposal=IdFilter(),
        state=ChoiceFilter(title=gettext_lazy("State"), choices=RollOutHouse.State.choices),
    ),
    columns=(
        Column(name="proposal", on=API, value=lambda row: row.proposal_id),
        Column(name="establishment", on=API, value=lambda row: row.establishment_id),
        Column(name="name", title=gettext_lazy("House"), style="row-name",
               value=lambda row: row.establishment.name, order=("establishment__name",)),
        Column(name="state", title=gettext_lazy("State"), signs=BECAME, order=("state",)),
        Column(name="why", title=gettext_lazy("Why not"), style="because wide"),
        Column(name="attempt", title=gettext_lazy("Attempt"), kind="number", on=FOR_PROGRAMS),
        Column(name="changed_at", title=gettext_lazy("Last step"), kind="moment", style="soft",
               order=("changed_at",)),
    ),
    names_players=False,
    sees=("audit",),
    section="chain-proposals",
)  # fmt: skip
