"""The box that finds everything and says what one may do, at one address: page, fragment, JSON."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Literal
from urllib.parse import urlencode
from uuid import UUID

from django.http import JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.floor.players import player_names
from casino.house.acts import custody
from casino.house.attendants.models import Employment
from casino.house.attendants.permissions import ALLOWED
from casino.house.attendants.pseudonyms import tokens
from casino.house.attendants.pseudonyms.models import FIRST, Player
from casino.house.establishments.table_names import in_list_order
from casino.kit.web import navigation
from casino.kit.web.pages import office
from casino.money.cash import fees
from casino.money.payouts import queries as payouts
from casino.play.core import queries
from casino.play.core.models import GameCard
from casino.play.settlement import payout_holds
from casino.proof.search import rounds
from casino.reports.gaming_days import queries as days
from casino.reports.gaming_days.models import GamingDay
from casino.reports.registers.catalogue import REPORTS
from casino.settings.configuration.pages import TABS
from casino.words.languages import amounts, locales
from casino.words.presenters import TITLES
from ledger import journal, recent
from ledger.tiles import Tiles

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from django.http import HttpResponse
    from django.utils.functional import _StrPromise

    from casino.house.attendants.permissions import Act
    from casino.house.establishments.models import Table
    from casino.kit.web.navigation import Entry
    from casino.kit.web.pages import Page

FRAGMENT, JSON = "fragment", "json"


@office("look", section="find", from_replica=True)
def find(page: Page) -> HttpResponse:
    """
    What fits ``q``, in groups.

    As a page; with ``as=fragment`` only the list, as the options of the box; with ``as=json`` as
    ``{"groups": [{"kind": "table", "title": "Tables", "found": [{"title", "url", "note",
    "waiting"}]}]}``.
    """
    text = page.request.GET.get("q", "")
    groups = find_groups(page, text)
    wanted = page.request.GET.get("as", "")
    if wanted == JSON:
        return JsonResponse({"groups": [_plain(group) for group in groups]})
    context = {"groups": groups, "q": text, "options": wanted == FRAGMENT}
    if wanted == FRAGMENT:
        return render(page.request, "office/palette/_found.html", context)
    return page.show("office/palette/page.html", context)


def _plain(group: Group) -> dict[str, object]:
    found: Sequence[dict[str, object]] = [
        {"title": each.title, "url": each.url, "note": each.note, "waiting": each.waiting}
        for each in group.found
    ]
    return {"kind": group.kind, "title": group.title, "found": found}


# Everything that fits what somebody typed, in groups, for one person at one house.


HEADINGS: Final[Mapping[Kind, Any]] = {
    "number": gettext_lazy("By this number"),
    "do": gettext_lazy("To do now"),
    "player": gettext_lazy("Players"),
    "table": gettext_lazy("Tables"),
    "game": gettext_lazy("Games"),
    "person": gettext_lazy("People who work here"),
    "report": gettext_lazy("Reports"),
    "setting": gettext_lazy("Settings"),
    "page": gettext_lazy("Pages"),
}
"""The groups in their order: what is exact first, then what is urgent, pages last."""
MOST: Final[Mapping[Kind, int]] = {"do": 8}
"""How many of a group are shown; `EACH_MOST` of the others."""


@dataclass(frozen=True, slots=True)
class Group:
    kind: Kind
    title: str
    found: Sequence[Found]


def find_groups(page: Page, text: str) -> list[Group]:
    """
    What fits the text, by group, without empty groups. Without text: what waits, and all pages.

    The queries do not depend on how much the house has.
    """
    typed = Typed(text)
    if text.strip() and (named := list(find_numbers(page, typed.text))):
        return [_group("number", named)]
    entries = list(navigation.entries(page.house, page.role))
    acts = Acts(page, entries)
    found: dict[Kind, Sequence[Found]] = {
        "do": acts.fitting(typed),
        "page": fitting(typed, pages(entries, page.role)),
    }
    if not typed:
        sections = {each.url for each in entries}
        found["page"] = [each for each in found["page"] if each.url in sections]
        return [_group(kind, found[kind], len(entries)) for kind in HEADINGS if found.get(kind)]
    found |= {
        "player": players(page, typed),
        "table": tables(typed, acts.tables),
        "game": games(page, typed),
        "person": people(page, typed),
        "report": fitting(typed, reports(page.role)),
        "setting": fitting(typed, settings(page.role)),
    }
    return [_group(kind, found[kind]) for kind in HEADINGS if found.get(kind)]


def _group(kind: Kind, found: Sequence[Found], most: int = 0) -> Group:
    most = most if kind == "page" and most else MOST.get(kind, EACH_MOST)
    return Group(kind, str(HEADINGS[kind]), found[:most])


# What is found by a number that somebody holds in their hand: receipts, positions, ids, hashes.


PRINTED: Final = re.compile(r"([0-9a-f-]{36})/([0-9]{1,9})\.([0-9]{1,4})", re.IGNORECASE)
"""How a receipt names its payout, also within the address of its page."""
CHECKED: Final = re.compile(r"/ledger/([0-9a-f-]{36})/([0-9]{1,15})/([0-9a-f]{64})", re.IGNORECASE)
"""The address in a receipt's code: house, position, hash."""
HASH: Final = re.compile(r"[0-9a-f]{64}", re.IGNORECASE)


def find_numbers(page: Page, text: str) -> Iterator[Found]:
    """What the number names at the page's house; nothing if it names nothing there."""
    if checked := CHECKED.search(text):
        if checked[1].lower() == str(page.house.pk):
            yield from _of_position(page, int(checked[2]))
    elif printed := PRINTED.search(text):
        yield from _of_payout(page, printed[1].lower(), int(printed[2]), int(printed[3]))
    elif HASH.fullmatch(text):
        position = Tiles(page.house.pk).position_of(bytes.fromhex(text))
        if position is not None:
            yield from _of_position(page, position)
    elif named := rounds.read_number(text):
        if named.value.isdecimal():
            yield from _of_position(page, int(named.value))
        else:
            yield from _of_round(page, named.value)


def _of_position(page: Page, position: int) -> Iterator[Found]:
    """The event at a position, and the round that it belongs to."""
    if position > journal.head(establishment=page.house.pk):
        return
    if page.may("approve") or page.may("audit"):
        title = _("Event %(position)s") % {"position": f"#{position}"}
        url = reverse("ledger-event", args=[position])
        yield Found(kind="number", title=title, url=url, note=_("content, bytes and proof"))
    yield from _of_round(page, str(position))


def _of_round(page: Page, named: str) -> Iterator[Found]:
    """The round of an event, a command or a game, and the table as it stood."""
    row_and_event = rounds.of_event(page.house, named)
    if row_and_event is None:
        return
    row, event = row_and_event
    title = _("Round %(round)s at %(table)s") % {"round": row.round, "table": row.table.name}
    day = locales.day_of_year(row.gaming_day)
    yield Found(kind="number", title=title, url=reverse("floor-round", args=[row.game, row.round]),
                note=day)  # fmt: skip
    yield Found(
        kind="number",
        title=_("%(table)s as it stood at event %(event)s") % {
            "table": row.table.name, "event": event
        },
        url=reverse("game-at", args=[row.game, event]),
        note=day,
    )  # fmt: skip


def _of_payout(page: Page, game: str, cause: int, seq: int) -> Iterator[Found]:
    """A payout and its receipt."""
    try:
        wanted = UUID(game)
    except ValueError:
        return
    row = payouts.payouts_of(page.house.pk).filter(game=wanted, cause=cause, seq=seq).first()
    if row is None:
        return
    (name,) = tokens.resolve(page.house.pk, [row.payee])
    amount = amounts.money(row.amount)
    note = _("%(table)s, round %(round)s") % {"table": row.table.name, "round": row.round}
    key = [row.game, row.cause, row.seq]
    yield Found(kind="number", url=reverse("payout", args=key), note=note,
                title=_("Payout of %(amount)s to %(player)s")
                % {"amount": amount, "player": name})  # fmt: skip
    yield Found(kind="number", title=_("Its receipt"), url=reverse("receipt", args=key), note=note)


# The pages that a role may open: sections of the navigation, their pages, settings, reports.


OVERSEEING: Final[tuple[Act, ...]] = ("approve", "audit")

PAGES: Final[tuple[tuple[str, _StrPromise, _StrPromise | str, tuple[Act, ...]], ...]] = (
    ("days-late", gettext_lazy("Entries after the end of their day"), "", ("audit",)),
    ("approvals-history", gettext_lazy("Approvals that were decided"), "", ("look",)),
    ("cash-slips", gettext_lazy("Fills and credits"), gettext_lazy("cash slips"), ("look",)),
    ("cash-shifts", gettext_lazy("Shifts"), gettext_lazy("cash attendants"), ("look",)),
    ("cash-counts", gettext_lazy("Counts of floats"), gettext_lazy("cash"), ("look",)),
    ("cash-inventory", gettext_lazy("Cash inventory"), "", ("look",)),
    ("cash-log", gettext_lazy("Cash by player"), gettext_lazy("threshold"), OVERSEEING),
    ("unclaimed", gettext_lazy("Money that nobody has collected"),
     gettext_lazy("unclaimed prizes"), OVERSEEING),
    ("tips", gettext_lazy("Tips"), "", ("look",)),
    ("exclusions", gettext_lazy("Excluded players"), "", ("look",)),
    ("seats-refused", gettext_lazy("Seats refused"), gettext_lazy("excluded players"), ("look",)),
    ("cage", gettext_lazy("Cage and bank"), gettext_lazy("cash capital"), ("audit",)),
    ("dice-entries", gettext_lazy("How throws are entered"), gettext_lazy("dice"), OVERSEEING),
    ("dice-sets", gettext_lazy("Dice sets"), gettext_lazy("inventory store"), OVERSEEING),
    ("proof-checkpoints", gettext_lazy("Checkpoints"), gettext_lazy("proof signed"), ("audit",)),
    ("sign-ins", gettext_lazy("Sign-ins"), gettext_lazy("people"), ("audit",)),
    ("access", gettext_lazy("Who had access"), gettext_lazy("people roles"), ("audit",)),
    ("api-docs", gettext_lazy("The API"), gettext_lazy("programs documentation"), ("look",)),
)  # fmt: skip
"""Pages that are not in the navigation: address, title, other words, who may open them."""


def pages(entries: Sequence[navigation.Entry], role: str) -> Iterator[Found]:
    """
    Every page of the office that a role may open, without settings and reports.

    :param entries: the role's sections, with what waits in each.
    """
    words = {each.name: str(each.words) for group in navigation.groups() for each in group.sections}
    for each in entries:
        group = str(each.group.title)
        yield Found(
            kind="page",
            title=each.title,
            url=each.url,
            note=group if group != each.title else "",
            words=words[each.name],
            waiting=each.waiting,
        )
    yield from _list_things("page", PAGES, role)


def settings(role: str) -> Iterator[Found]:
    """The pages of the settings, for those who may see them."""
    if role in ALLOWED["audit"]:
        for name, title in TABS:
            if name != "settings-import" or role in ALLOWED["configure"]:
                yield Found(kind="setting", title=str(title), url=reverse(name), note=_("Settings"))
    yield from _list_things("setting", OWN, role)


def reports(role: str) -> Iterator[Found]:
    """The reports, for those who may read them."""
    if role in ALLOWED["audit"]:
        for each in REPORTS:
            url = reverse("report", args=[each.name])
            yield Found(kind="report", title=str(each.title), url=url, words=str(each.about))


OWN: Final[tuple[tuple[str, _StrPromise, _StrPromise | str, tuple[Act, ...]], ...]] = (
    ("me-password", gettext_lazy("My password"), gettext_lazy("change sign-in"), ("look",)),
    ("me-factors", gettext_lazy("My second factor"),
     gettext_lazy("passkey app codes sign-in"), ("look",)),
    ("me-pin", gettext_lazy("My PIN"), gettext_lazy("tablet sign-in"), ("record",)),
)  # fmt: skip
"""One's own settings."""


def _list_things(
    kind: Kind,
    rows: Sequence[tuple[str, _StrPromise, _StrPromise | str, tuple[Act, ...]]],
    role: str,
) -> Iterator[Found]:
    for name, title, words, acts in rows:
        if any(role in ALLOWED[act] for act in acts):
            yield Found(kind=kind, title=str(title), url=reverse(name), words=str(words))


# Things of the house that are found by words: tables, games, players, people who work there.


EACH_MOST: Final = 6
"""How many of a kind are shown; whoever looks for others types another letter."""
TOKEN: Final = re.compile(tokens.PLAYER)


def tables(typed: Typed, known: Sequence[Table]) -> list[Found]:
    """The tables that fit, each with its cash page."""
    lines = [
        Found(kind="table", title=each.name, url=reverse("cash-table", args=[each.pk]),
              note=_("cash, shift and slips"), words=_("table"))
        for each in known
    ]  # fmt: skip
    return fitting(typed, lines)[:EACH_MOST]


def games(page: Page, typed: Typed) -> list[Found]:
    """Running games by the name of the game or the table, and the rounds of each kind of game."""
    if not typed:
        return []
    running = GameCard.objects.filter(establishment=page.house, status=GameCard.Status.OPEN)
    lines = [
        Found(
            kind="game",
            title=_("%(game)s at %(table)s") % {
                "game": TITLES.get(card.ruleset, card.ruleset), "table": card.table.name
            },
            url=reverse("floor-game", args=[card.game]),
            note=_("running, round %(round)s") % {"round": card.round},
            words=_("game running"),
        )
        for card in running.select_related("table")
    ]  # fmt: skip
    lines += [
        Found(
            kind="game",
            title=str(title),
            url=f"{reverse('games')}?{urlencode({'game': ruleset})}",
            note=_("its rounds"),
            words=_("game rounds"),
        )
        for ruleset, title in TITLES.items()
    ]
    return fitting(typed, lines)[:EACH_MOST]


def players(page: Page, typed: Typed) -> list[Found]:
    """
    Players whose name begins with what was typed, or the one with this token.

    A name that was erased is not found; its token is. Whoever may not open a player's page is led
    to the rounds of the player instead.
    """
    if TOKEN.fullmatch(typed.text):
        rows = Player.objects.filter(establishment=page.house, token=typed.text)
        found = [(row.token, row.name or "") for row in rows]
    elif len(typed.text) >= FIRST:
        found = player_names.names_beginning_with(page.house.pk, typed.text, EACH_MOST)
    else:
        found = []
    opens = page.may("approve") or page.may("audit")
    return [
        Found(kind="player", title=name or token, url=_of_player(token, name, opens=opens),
              note=_("rounds, money, exclusions") if opens else _("rounds"))
        for token, name in found
    ]  # fmt: skip


def _of_player(token: str, name: str, *, opens: bool) -> str:
    if opens:
        return reverse("player", args=[token])
    return f"{reverse('games')}?{urlencode({'player': name or token})}"


def people(page: Page, typed: Typed) -> list[Found]:
    """People who work here, by the beginning of any of their names."""
    if len(typed.text) < FIRST:
        return []
    rows = Employment.objects.filter(establishment=page.house, until__isnull=True)
    return list(islice(_people(page, typed, rows.select_related("attendant")), EACH_MOST))


def _people(page: Page, typed: Typed, rows: Iterable[Employment]) -> Iterator[Found]:
    for row in rows:
        person = row.attendant
        if typed.fits(f"{person} {person.username}"):
            if page.may("audit"):
                url, note = reverse("person", args=[row.pk]), str(row.get_role_display())
            else:
                query = urlencode({"attendant": str(person.pk)})
                url, note = f"{reverse('games')}?{query}", _("rounds that they recorded")
            yield Found(kind="person", title=str(person), url=url, note=note)


#
# What a person may do now: only what their role allows and what is possible at this moment.
#
# Each entry leads to the page on which it is done; nothing is done by the box itself. What depends
# on the moment is queried only if the words that were typed can mean it.


ALWAYS: Final[tuple[tuple[str, _StrPromise, _StrPromise, Act], ...]] = (
    ("disputes-find", gettext_lazy("Raise a dispute"),
     gettext_lazy("object receipt round wrong"), "record"),
    ("exclusions", gettext_lazy("Exclude a player"), gettext_lazy("ban refuse seat"), "approve"),
    ("tips", gettext_lazy("Pay out tips"), gettext_lazy("attendants"), "record"),
    ("unclaimed", gettext_lazy("Hand out money that nobody has collected"),
     gettext_lazy("unclaimed late cash out prize"), "approve"),
    ("cage", gettext_lazy("Move money between cage and bank"),
     gettext_lazy("capital drop deposit"), "configure"),
    ("dice-receive", gettext_lazy("Receive dice"), gettext_lazy("new set store"), "approve"),
    ("proof", gettext_lazy("Verify the ledger"), gettext_lazy("proof check"), "audit"),
    ("reports", gettext_lazy("Prepare a report"), gettext_lazy("export file download"), "audit"),
    ("what-if", gettext_lazy("Play a period again under another rule"),
     gettext_lazy("what if fee option"), "audit"),
    ("invite", gettext_lazy("Invite a person to work here"),
     gettext_lazy("hire employ staff people"), "configure"),
    ("tablets", gettext_lazy("Make this device a floor tablet"), gettext_lazy("enrol"), "approve"),
    ("settings-table-new", gettext_lazy("Add a table"), gettext_lazy("new"), "configure"),
    ("settings-dice-new", gettext_lazy("Add a dice set"), gettext_lazy("new"), "configure"),
    ("settings-prize-new", gettext_lazy("Add a prize"), gettext_lazy("new"), "configure"),
    ("settings-rules", gettext_lazy("Change rules and fees"),
     gettext_lazy("publish options house rules"), "configure"),
    ("settings-home-throws", gettext_lazy("Choose the home throw"), gettext_lazy("dice"),
     "configure"),
    ("settings-import", gettext_lazy("Import a list"), gettext_lazy("file csv"), "configure"),
    ("me-password", gettext_lazy("Change my password"), gettext_lazy("sign-in"), "look"),
)  # fmt: skip
"""What is possible at any time: the page, what it is called, other words, who may."""

ANSWERS: Final[Mapping[str, Act]] = {
    "approvals": "approve", "payouts": "approve", "disputes": "approve", "late": "approve",
    "dice": "approve", "proof": "configure",
}  # fmt: skip
"""Who may deal with what waits in a section."""
TABLE_WORDS: Final = gettext_lazy("table")
DAY_WORDS: Final = gettext_lazy("end day sign close")


class Acts:
    """
    What one person may do now at their house.

    :param entries: their sections, with what waits in each.
    """

    def __init__(self, page: Page, entries: Sequence[Entry]) -> None:
        self.page = page
        self.house = page.house
        self.entries = entries

    def fitting(self, typed: Typed) -> list[Found]:
        """
        The acts that fit what was typed; without words, those that the moment asks for.

        They take at most eight queries, however many tables the house has.
        """
        lines = [*self.of_the_day(), *self.answers(), *self.about_money(), *self.at_tables(typed)]
        if typed:
            lines += self.always()
        return fitting(typed, lines)

    # --- Each its own queries ---------------------------------------------------------------------

    def of_the_day(self) -> Iterator[Found]:
        """Closing the gaming day, and signing days that were closed."""
        now = days.state(self.house, self.page.now)
        if now.to_close and self.page.may("configure"):
            yield self._act(
                _("Close the gaming day %(day)s") % {"day": locales.day_of_year(now.to_close)},
                reverse("day", args=[now.to_close.isoformat()]),
                note=_("it is over") if now.over else "",
                words=DAY_WORDS,
            )
        if self.page.may("approve"):
            rows = days.rows(self.house).filter(state=GamingDay.State.CLOSED, signed_by="")
            for row in rows.exclude(by=str(self.page.person.pk))[:3]:
                yield self._act(
                    _("Sign the gaming day %(day)s") % {"day": locales.day_of_year(row.day)},
                    reverse("day", args=[row.day.isoformat()]),
                    words=DAY_WORDS,
                )

    def answers(self) -> Iterator[Found]:
        """What waits for somebody whose role may deal with it."""
        for each in self.entries:
            act = ANSWERS.get(each.name)
            if each.waiting and act and self.page.may(act):
                title = _("See to what waits: %(section)s") % {"section": each.title}
                yield Found(kind="do", title=title, url=each.url, waiting=each.waiting)

    def about_money(self) -> Iterator[Found]:
        """Resuming stopped payouts, counting fee boxes."""
        if self.page.may("approve") and payout_holds.stop_now(self.house.pk) is not None:
            yield self._act(_("Resume payouts"), reverse("payouts"), note=_("payouts are stopped"))
        if self.page.may("record"):
            for table, _coins in fees.boxes_to_count(self.house):
                yield self._act(
                    _("Count the fee box of %(table)s") % {"table": table.name},
                    reverse("fee-count", args=[table.pk]),
                )

    def always(self) -> Iterator[Found]:
        for name, title, words, act in ALWAYS:
            if self.page.may(act):
                yield self._act(str(title), reverse(name), words=words)

    # --- Tables -----------------------------------------------------------------------------------

    @cached_property
    def tables(self) -> list[Table]:
        """The tables in use, in order."""
        return in_list_order(self.house.tables.filter(in_use=True))

    @cached_property
    def running(self) -> Mapping[UUID, UUID]:
        """The running game of each table that has one, from the ledger."""
        return queries.games_open(self.house.pk, [table.pk for table in self.tables])

    @cached_property
    def _custody(self) -> Mapping[str, Any]:
        """Whether money may move at each table, by table; a table without entry is closed."""
        streams = {custody.stream_of(each.pk): str(each.pk) for each in self.tables}
        lasts = recent.lasts(self.house.pk, streams)
        return {streams[name]: last.data["stands"] for name, last in lasts.items()}

    def at_tables(self, typed: Typed) -> Iterator[Found]:
        """What may be done at each table, by whoever records there."""
        if not self.page.may("record"):
            return
        floats = self.house.counts_floats
        stand = {
            each.pk: self._custody.get(str(each.pk), "closed") if floats else ""
            for each in self.tables
        }
        for table in self.tables:
            yield from self._next_at(table, stand[table.pk])
        if typed:
            for table in self.tables:
                yield from self._also_at(table, stand[table.pk])

    def _next_at(self, table: Table, stands: str) -> Iterator[Found]:
        """
        What comes next at a table on which nobody plays, or whose money is being counted.

        :param stands: whether money may move there; "": the house counts no floats.
        """
        name = {"table": table.name}
        cash = reverse("cash-table", args=[table.pk])
        if stands in {"open", ""} and table.pk not in self.running:
            url = reverse("floor-open", args=[table.pk])
            yield self._act(_("Open a game at %(table)s") % name, url, words=TABLE_WORDS)
        if stands == "closed":
            url = reverse("cash-count", args=[table.pk, "open"])
            title = _("Count the float of %(table)s and open the table") % name
            yield self._act(title, url, words=TABLE_WORDS)
        elif stands == "counting":
            yield self._act(_("Finish the count at %(table)s") % name, cash, words=TABLE_WORDS)
        elif stands == "handing_over":
            yield self._act(_("Finish the handover of %(table)s") % name, cash, words=TABLE_WORDS)

    def _also_at(self, table: Table, stands: str) -> Iterator[Found]:
        """What else is possible at a table, for whoever looks for it."""
        name = {"table": table.name}
        if table.pk in self.running:
            url = reverse("floor-game", args=[self.running[table.pk]])
            yield self._act(_("Go on with the game at %(table)s") % name, url, words=TABLE_WORDS)
        if stands != "open":
            return
        for sentence, kind in ((_("Ask for a fill at %(table)s"), "fill"),
                               (_("Ask for a credit at %(table)s"), "credit")):  # fmt: skip
            url = reverse("cash-ask", args=[table.pk, kind])
            yield self._act(sentence % name, url, words=TABLE_WORDS)
        for sentence, purpose in (
            (_("Change the shift at %(table)s"), "change"),
            (_("Close %(table)s for the day"), "close"),
            (_("Check the float of %(table)s"), "check"),
        ):
            url = reverse("cash-count", args=[table.pk, purpose])
            yield self._act(sentence % name, url, words=TABLE_WORDS)

    def _act(self, title: str, url: str, *, note: str = "", words: Any = "") -> Found:
        return Found(kind="do", title=title, url=url, note=note, words=str(words))


# One line of the box: what it is called, what is known of it, and where it leads.


Kind = Literal["do", "number", "table", "game", "player", "person", "report", "setting", "page"]
TITLE, WORDS = 2, 1
"""How well a line fits: its title has what was typed, or only its other words have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """
    A line of the box.

    :param note: a few words more about it; "" if the title says everything.
    :param words: other words by which people look for it; they are not shown.
    :param waiting: how many things wait there for somebody.
    """

    kind: Kind
    title: str
    url: str
    note: str = ""
    words: str = ""
    waiting: int = 0


class Typed:
    """
    What somebody typed, as words to compare with.

    Capitals and accents make no difference. Every word has to begin a word of what it fits.
    """

    MOST: Final = 200
    """Characters that are read; what is longer is no question of anybody's."""

    def __init__(self, text: str) -> None:
        self.text = text.strip()[: self.MOST]
        self.words = words_of(self.text)

    def __bool__(self) -> bool:
        return bool(self.words)

    def fits(self, title: str, others: str = "") -> int:
        """How well the words fit a title or the words beside it; 0 if they do not."""
        if not self.words:
            return TITLE
        in_title = words_of(title)
        if self._begin(in_title):
            return TITLE
        return WORDS if self._begin([*in_title, *words_of(others)]) else 0

    def _begin(self, words: list[str]) -> bool:
        return all(any(word.startswith(typed) for word in words) for typed in self.words)


def words_of(text: str) -> list[str]:
    """The words of a text without capitals and accents."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    kept = (letter if letter.isalnum() else " " for letter in plain if not _is_accent(letter))
    return "".join(kept).split()


def _is_accent(letter: str) -> bool:
    return unicodedata.category(letter) == "Mn"


def fitting(typed: Typed, lines: Iterable[Found]) -> list[Found]:
    """The lines that fit, those whose title fits first, otherwise in their own order."""
    rated = [(typed.fits(each.title, f"{each.note} {each.words}"), each) for each in lines]
    return [each for fit, each in sorted(rated, key=lambda one: -one[0]) if fit]
