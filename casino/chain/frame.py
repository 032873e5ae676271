"""
What every page of a chain shares: the person, their role in the chain, and the frame around it.

    @chain_page("look", section="chain-houses")
    def houses(page: Page) -> HttpResponse: ...

A page of a chain is a page of the office whose house is the chain itself (`Chain.as_house`), so the
kit of lists, forms and files serves both. Who has no role in a chain finds no such page: 404.
"""

from __future__ import annotations

from dataclasses import replace
from functools import wraps
from typing import TYPE_CHECKING, Any, Final

from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from casino.chain.models import ChainMember
from casino.engine.scale.replicas import place as replicas
from casino.house.attendants import permissions
from casino.house.attendants.models import Attendant
from casino.house.attendants.permissions import NotYours, SecondFactorNeeded
from casino.house.establishments.clock import show_times_of
from casino.house.establishments.gaming_day import current, gaming_day
from casino.kit.web.pages import READING, Page
from games.refusals import NoGame

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.contrib.auth.models import AnonymousUser
    from django.http import HttpRequest, HttpResponse

    from casino.house.attendants.permissions import Act
    from casino.house.establishments.models import Establishment

NOWHERE: Final = "There is no such page for you."
LISTED: Final = 300  # houses to tick; more are all taken, or found by name first
SECTIONS: Final = (
    ("chain-houses", _("Houses"), "chain:houses"),
    ("chain-compare", _("Compare"), "chain:compare"),
    ("chain-register", _("Register"), "chain:register"),
    ("chain-proposals", _("Proposals"), "chain:proposals"),
    ("chain-dice", _("Dice"), "chain:dice"),
    ("chain-people", _("People"), "chain:people"),
)
"""The sections of a chain's rail: name, title, the name of its first page."""


def member_of(person: Attendant | AnonymousUser) -> ChainMember | None:
    """
    A person's role in their chain; None if they have none.

    A superuser has none, nor does somebody who took a tablet over by PIN or may do one act only.
    """
    if not isinstance(person, Attendant) or person.chain is None or not person.is_active:
        return None
    standing = person.standing
    if standing is not None and (person.is_superuser or standing.floor or standing.only):
        return None
    rows = ChainMember.objects.filter(attendant=person, chain=person.chain, until__isnull=True)
    member = rows.select_related("chain").first()
    if member is not None:
        member.attendant = person  # with how they signed in
    return member


def require(member: ChainMember, act: Act) -> None:
    """
    Check that a role in a chain allows an act.

    :raises NotYours: if it does not.
    :raises SecondFactorNeeded: if it takes a second factor that the person has not shown. D2
    """
    if member.role not in permissions.ALLOWED[act]:
        raise NotYours(f"Your role in {member.chain} does not let you {act}. D1")
    if act in permissions.TWICE_PROVEN and not permissions.proven_twice(member.attendant):
        raise SecondFactorNeeded(f"To {act} in {member.chain} takes your second factor. D2")


def chain_page(
    act: Act, *, section: str, post: Act | None = None, from_replica: bool = False
) -> Callable[[Callable[..., HttpResponse]], Callable[..., HttpResponse]]:
    """
    Decorate a page of a chain: only for people whose role in their chain allows `act`.

    :param post: the act that the role must allow to post there, if not `act`.
    :param from_replica: as for pages of the office (`casino.kit.web.pages.office`).
    """

    def page_of(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @login_required
        @never_cache
        @require_http_methods(["GET", "HEAD", "POST"])
        @wraps(view)
        def let_in(request: HttpRequest, **kwargs: Any) -> HttpResponse:
            member = member_of(request.user)
            if member is None:
                raise Http404(NOWHERE)
            person = permissions.person_of(request)
            require(member, act if request.method in READING else post or act)
            page = _page(request, member, person, section)

            def answer() -> HttpResponse:
                try:
                    return view(page, **kwargs)
                except NoGame as nowhere:
                    raise Http404(str(nowhere)) from nowhere

            if from_replica and request.method in READING:
                return replicas.page(answer, house=page.house.pk, person=person.pk)
            return answer()

        return let_in

    return page_of


def in_house(page: Page, house: Establishment) -> Page:
    """The page about one house of the chain: with its clock, its coins and its ledger."""
    show_times_of(house)
    return replace(page, house=house, day=current(house, page.now))


def _page(request: HttpRequest, member: ChainMember, person: Attendant, section: str) -> Page:
    stand_in, now = member.chain.as_house(), timezone.now()
    show_times_of(stand_in)
    return Page(
        request=request,
        house=stand_in,
        person=person,
        role=member.role,
        now=now,
        day=gaming_day(stand_in, now),
        section=section,
        mine=(),
    )


def member_at(page: Page) -> ChainMember:
    """The role of the person at a page, to pass to operations of the chain."""
    member = member_of(page.person)
    if member is None:
        raise Http404(NOWHERE)
    return member
