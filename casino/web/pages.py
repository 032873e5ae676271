"""
What every page of the office shares: whose it is, of which house, and the frame around it.

    @office("look", section="day")
    def day(page: Page) -> HttpResponse:
        return page.show("gaming_days/day.html", {"rounds": 12})

Something is done in one of two ways. A page that is a form, which comes back with what is wrong:

    @office("look", section="cage", post="record")
    def cage(page: Page) -> HttpResponse:
        form = CageForm(page.sent)
        done = page.take(form, lambda: bank.ask(page.act(form.act_id)), _("Asked for."), "cage")
        return done or page.show("accounts/cage.html", {"form": form})

Or a button on a page with much else, which says on that page what became of it: `page.put`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import wraps
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, TypeVar

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from casino.attendants import permissions
from casino.attendants.permissions import ALLOWED, NotYours
from casino.establishments.clock import show_times_of
from casino.establishments.gaming_day import current
from casino.establishments.models import Establishment
from casino.operations import acts
from casino.pseudonyms import tokens as pseudonyms
from casino.web.current_house import house_of
from casino.web.forms import status_of
from games.refusals import Malformed, NoGame, Refused
from ledger.journal import Conflict

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import date, datetime
    from uuid import UUID

    from django.http import HttpRequest, HttpResponse, QueryDict

    from casino.attendants.models import Attendant
    from casino.attendants.permissions import Act
    from casino.web.forms import ActForm

DEVICE = "office"
READING = frozenset({"GET", "HEAD"})
REFUSALS: Final = (Refused, Malformed, Conflict)
"""Answers that say why something was not done."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One request to a page of the office, let in."""

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
        """What a form is bound to: what was sent; None where the page is only looked at."""
        return self.request.POST if self.posted else None

    @property
    def device(self) -> str:
        return DEVICE

    def may(self, act: Act) -> bool:
        return self.role in permissions.ALLOWED[act]

    def act(self, command_id: UUID, **asked: object) -> acts.Act:
        """What this person does now, to be put to `acts.perform`."""
        return acts.Act(
            house=self.house,
            by=self.person,
            device=self.device,
            now=self.now,
            command_id=command_id,
            request=asked,
        )

    def show(
        self, template: str, context: Mapping[str, Any] | None = None, *, status: int = 0
    ) -> HttpResponse:
        """
        The page within the office's frame; `context` is the page's own.

        :param status: of the answer; left out, 200, or 422 with a form in which something is wrong.
        """
        own = context or {}
        status = status or (status_of(*own.values()) if self.posted else HTTPStatus.OK)
        return render(self.request, template, {**self._frame(), **own}, status=status)

    def put(
        self, do: Callable[[], T], said: str | Callable[[T], str], to: str, **where: Any
    ) -> HttpResponse:
        """
        Do it, and say so on the page called `to`; or say there why not.

        :param said: the sentence, or what makes it of what `do` answers.
        """
        try:
            answer = do()
        except NoGame:
            raise  # there is no such page at this house
        except REFUSALS as refused:
            return self.refused(refused, to, **where)
        return self.done(said(answer) if callable(said) else said, to, **where)

    def take(
        self,
        form: ActForm,
        do: Callable[[], T],
        said: str | Callable[[T], str],
        to: str,
        **where: Any,
    ) -> HttpResponse | None:
        """
        Do what a form sent, and say so on the page called `to`.

        None: nothing was done, be it that nothing was sent yet. The page is shown, with the form;
        where something was sent it says what is wrong with it.
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
            return self.done(said(answer) if callable(said) else said, to, **where)
        return None

    def done(self, sentence: str, to: str, **kwargs: Any) -> HttpResponse:
        """Say what was done, on the page called `to`."""
        messages.success(self.request, sentence)
        return redirect(reverse(to, kwargs=kwargs))

    def refused(self, refused: Exception | str, to: str = "", **kwargs: Any) -> HttpResponse:
        """Say why not, on the page called `to` or on the one that the person came from."""
        messages.error(self.request, self.why(refused))
        return redirect(reverse(to, kwargs=kwargs) if to else self._came_from())

    def why(self, refused: Exception | str) -> str:
        """A refusal as people of the house read it: in their language, with names for tokens."""
        return pseudonyms.resolve_text(self.house.pk, str(refused))

    def _came_from(self) -> str:
        """The page before this one, if it is one of ours."""
        before = self.request.headers.get("Referer", "")
        ours = url_has_allowed_host_and_scheme(before, {self.request.get_host()})
        return before if before and ours else reverse("start")

    def _frame(self) -> dict[str, Any]:
        several = len(self.mine) > 1
        return {
            "house": self.house,
            "houses": Establishment.objects.filter(pk__in=self.mine) if several else (),
            "gaming_day": self.day,
            "currency": self.house.currency_symbol,
            "section": self.section,
            "role": self.role,
        }


def office(
    act: Act, *, section: str, post: Act | None = None
) -> Callable[[Callable[..., HttpResponse]], Callable[..., HttpResponse]]:
    """
    A page of the office: for people signed in whose role at the house they look at allows `act`.

    :param post: what it takes to send something there, where that is more than to look.
    """

    def page_of(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @login_required
        @never_cache
        @require_http_methods(["GET", "HEAD", "POST"])
        @wraps(view)
        def let_in(request: HttpRequest, **kwargs: Any) -> HttpResponse:
            house = house_of(request)
            needed = act if request.method in READING else post or act
            permissions.require(request.user, needed, house)
            show_times_of(house)
            now = timezone.now()
            roles = permissions.roles(request.user)
            page = Page(
                request=request,
                house=house,
                person=permissions.person_of(request),
                role=roles[house.pk],
                now=now,
                day=current(house, now),
                section=section,
                mine=tuple(roles),
            )
            try:
                return view(page, **kwargs)
            except NoGame as nowhere:  # of this house: another's is none of its business
                raise Http404(str(nowhere)) from nowhere

        return let_in

    return page_of


def sees_all(page: Page) -> bool:
    """Reasons, sums and debts are for whoever approves or audits, not for every attendant."""
    return page.role in ALLOWED["approve"] | ALLOWED["audit"]


def only_those(page: Page) -> None:
    """:raises NotYours: for whom it is not."""
    if not sees_all(page):
        raise NotYours(_("Your role does not let you see this: ask a supervisor. D1"))
