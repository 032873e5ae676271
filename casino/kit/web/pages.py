"""
What every page of the office shares: the person, their house, the frame around the page, and the
position of the ledger at its foot.

    @office("look", section="day")
    def day(page: Page) -> HttpResponse:
        return page.show("reports/gaming_days/day.html", {"rounds": 12})

A page acts in one of two ways. It may be a form, which is shown again with its errors:

    @office("look", section="cage", post="record")
    def cage(page: Page) -> HttpResponse:
        form = CageForm(page.sent)
        done = page.take(form, lambda: bank.ask(page.act(form.act_id)), _("Asked for."), "cage")
        return done or page.show("money/accounts/cage.html", {"form": form})

Or it is a button on a page with other content, and a message there says how it went: `page.put`.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import wraps
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from casino.engine.scale.replicas import place as replicas
from casino.house.acts import acts
from casino.house.attendants import permissions
from casino.house.attendants.permissions import ALLOWED, NotYours
from casino.house.attendants.pseudonyms import tokens
from casino.house.establishments.clock import show_times_of
from casino.house.establishments.gaming_day import current
from casino.house.establishments.models import Establishment
from casino.kit.web.current_house import NoHouse, house_of
from casino.kit.web.forms import status_of
from casino.words.languages import locales
from games.refusals import Malformed, NoGame, Refused
from ledger import journal
from ledger.journal import Conflict

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import date, datetime
    from uuid import UUID

    from django.http import HttpRequest, HttpResponse, QueryDict
    from django.utils.safestring import SafeString

    from casino.house.attendants.models import Attendant
    from casino.house.attendants.permissions import Act
    from casino.kit.web.forms import ActForm

    Said: TypeAlias = "str | Outcome"

DEVICE = "office"
HOUSES_LISTED: Final = 6
"""How many houses of a person the rail lists; who has more finds them on a page of their own."""
READING = frozenset({"GET", "HEAD"})
REFUSALS: Final = (Refused, Malformed, Conflict)
"""The exceptions that say why an act was refused; their text is shown to the person."""
ASK_A_SUPERVISOR: Final = gettext_lazy("Your role does not let you see this: ask a supervisor. D1")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Outcome:
    """
    What an act did, as the message on the next page says it.

    :param thing: the name of the thing that it was done to, or that came of it.
    :param url: the page of that thing, to which its name links.
    """

    sentence: str
    thing: str
    url: str

    def __html__(self) -> SafeString:
        """The message; what messages are kept in keeps that it is HTML."""
        return format_html('{} <a href="{}">{}</a>', self.sentence, self.url, self.thing)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A request to a page of the office, after permission was checked."""

    request: HttpRequest
    house: Establishment
    person: Attendant
    role: str
    now: datetime
    day: date
    section: str
    mine: tuple[UUID, ...]
    """The houses that employ the person."""

    @property
    def posted(self) -> bool:
        return self.request.method == "POST"

    @property
    def sent(self) -> QueryDict | None:
        """The data to bind a form to: what was posted; None if nothing was."""
        return self.request.POST if self.posted else None

    @property
    def device(self) -> str:
        return DEVICE

    def may(self, act: Act) -> bool:
        return self.role in permissions.ALLOWED[act]

    def act(self, command_id: UUID, **request: object) -> acts.Act:
        """An act of this person at this moment, to pass to `acts.perform`."""
        return acts.Act(
            house=self.house,
            by=self.person,
            device=self.device,
            now=self.now,
            command_id=command_id,
            request=request,
        )

    def show(
        self, template: str, context: Mapping[str, Any] | None = None, *, status: int = 0
    ) -> HttpResponse:
        """
        The page as a response, within the office's frame; `context` is the page's own.

        :param status: of the response; 0: 200, or 422 if a posted form has errors.
        """
        own = context or {}
        status = status or (status_of(*own.values()) if self.posted else HTTPStatus.OK)
        return render(self.request, template, {**self._frame(), **own}, status=status)

    def put(
        self, do: Callable[[], T], sentence: Said | Callable[[T], Said], to: str, **where: Any
    ) -> HttpResponse:
        """
        Call `do` and redirect to the page called `to`, with a message: success, or why it failed.

        :param sentence: the message for success, or a function that makes it from `do`'s result.
        """
        try:
            answer = do()
        except NoGame:
            raise  # there is no such page at this house
        except REFUSALS as refused:
            return self.refused(refused, to, **where)
        return self.done(sentence(answer) if callable(sentence) else sentence, to, **where)

    def take(
        self,
        form: ActForm,
        do: Callable[[], T],
        sentence: Said | Callable[[T], Said],
        to: str,
        **where: Any,
    ) -> HttpResponse | None:
        """
        Call `do` if the form is valid, and redirect to the page called `to` with a message.

        :returns: None if nothing was sent, or if it was invalid or refused; then show the page with
            the form, which has the errors.
        """
        if not form.is_valid():
            return None
        try:
            answer = do()
        except NoGame:
            raise  # there is no such page at this house
        except ValidationError as invalid:
            form.refuse(invalid)
        except REFUSALS as refused:
            form.refuse(self.why(refused))
        else:
            return self.done(sentence(answer) if callable(sentence) else sentence, to, **where)
        return None

    def done(self, sentence: Said, to: str, **kwargs: Any) -> HttpResponse:
        """Redirect to the page called `to`, with a message that says what was done to what."""
        said = sentence.__html__() if isinstance(sentence, Outcome) else sentence
        messages.success(self.request, said)
        return redirect(reverse(to, kwargs=kwargs))

    def refused(self, refused: Exception | str, to: str = "", **kwargs: Any) -> HttpResponse:
        """Redirect to the page `to`, or to the previous page, with a message why it failed."""
        messages.error(self.request, self.why(refused))
        return redirect(reverse(to, kwargs=kwargs) if to else self._came_from())

    def why(self, refused: Exception | str) -> str:
        """A refusal for people to read: in their language, with names instead of tokens."""
        return tokens.resolve_text(self.house.pk, str(refused))

    def _came_from(self) -> str:
        """The address of the previous page if it is on this site, else of the start page."""
        before = self.request.headers.get("Referer", "")
        ours = url_has_allowed_host_and_scheme(before, {self.request.get_host()})
        return before if before and ours else reverse("start")

    def _frame(self) -> dict[str, Any]:
        few = 1 < len(self.mine) <= HOUSES_LISTED
        return {
            "house": self.house,
            "houses": Establishment.objects.filter(pk__in=self.mine) if few else (),
            "many_houses": len(self.mine) if len(self.mine) > HOUSES_LISTED else 0,
            "of_no_house": not self.mine,
            "gaming_day": self.day,
            "currency": self.house.currency_symbol,
            "section": self.section,
            "role": self.role,
            "now": self.now,
            "ledger_position": self._position,
        }

    def _position(self) -> Reading:
        """How far the house's ledger had come; only a page's foot on paper asks."""
        # IMPORT-GONE

        return recent_position(self.house.pk, self.now)


def office(
    act: Act,
    *,
    section: str,
    post: Act | None = None,
    oneself: bool = False,
    from_replica: bool = False,
) -> Callable[[Callable[..., HttpResponse]], Callable[..., HttpResponse]]:
    """
    Decorate a page of the office: only signed-in people whose role at their house allows `act`.

    :param post: the act that the role must allow to post there, if not `act`.
    :param oneself: the page is about one's own sign-in: whoever works for a chain, and at no house,
        may open it too.
    :param from_replica: it decides and writes nothing, and a replica may be read for it. Whether
        the person may see it is asked of the primary (`casino.engine.scale.replicas`).
    """

    def page_of(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @login_required
        @never_cache
        @require_http_methods(["GET", "HEAD", "POST"])
        @wraps(view)
        def let_in(request: HttpRequest, **kwargs: Any) -> HttpResponse:
            try:
                house = house_of(request)
            except NoHouse:
                chain = permissions.chain_alone(request.user)
                if chain is not None and request.path == reverse("start"):
                    return redirect("chain:houses")
                if chain is not None and oneself:
                    return view(_of_no_house(request, chain, section), **kwargs)
                raise
            needed = act if request.method in READING else post or act
            permissions.require(request.user, needed, house)
            show_times_of(house)
            now = timezone.now()
            roles = permissions.roles(request.user)
            day = current(house, now)
            locales.use_today(day)
            page = Page(
                request=request,
                house=house,
                person=permissions.person_of(request),
                role=roles[house.pk],
                now=now,
                day=day,
                section=section,
                mine=tuple(roles),
            )

            def answer() -> HttpResponse:
                try:
                    return view(page, **kwargs)
                except NoGame as nowhere:  # not of this house: as if it did not exist
                    raise Http404(str(nowhere)) from nowhere

            if from_replica and request.method in READING:
                return replicas.page(answer, house=house.pk, person=page.person.pk)
            return answer()

        return let_in

    return page_of


def _of_no_house(request: HttpRequest, chain: UUID, section: str) -> Page:
    """A page about oneself, of somebody whom no house employs."""
    nowhere = Establishment(id=chain, name="", currency="", currency_symbol="")
    now = timezone.now()
    show_times_of(nowhere)
    return Page(
        request=request, house=nowhere, person=permissions.person_of(request), role="", now=now,
        day=now.date(), section=section, mine=(),
    )  # fmt: skip


def sees_all(page: Page) -> bool:
    """Whether the person may see reasons, sums and debts: whoever approves or audits."""
    return page.role in ALLOWED["approve"] | ALLOWED["audit"]


def only_those(page: Page) -> None:
    """:raises NotYours: if the person may not see everything (`sees_all`)."""
    if not sees_all(page):
        raise NotYours(str(ASK_A_SUPERVISOR))


# How far a house's ledger had come a moment ago: for the foot of pages on paper.
#
# It is read at most every few seconds in a process from each server, so that no page costs a query
# more for it. The foot tells the time of the reading with it, so it is never said of a later moment
# than it holds for.


RECENT: Final = 15.0  # seconds for which a reading is used


@dataclass(frozen=True, slots=True)
class Reading:
    """The last position of a ledger, -1 while it is empty, and when it was read."""

    position: int
    at: datetime


_readings: Final[dict[tuple[UUID, str], tuple[float, Reading]]] = {}


def recent_position(establishment: UUID, now: datetime) -> Reading:
    """The last position of a house's ledger, as it was read within the last seconds."""
    key = establishment, replicas.source()
    read, known = _readings.get(key, (0.0, None))
    if known is None or time.monotonic() - read > RECENT:
        known = Reading(journal.head(establishment=establishment), now)
        _readings[key] = (time.monotonic(), known)
    return known
