"""A change of attendant on a floor tablet: tap the name, give the PIN (D3)."""

from __future__ import annotations

from datetime import timedelta
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from django.contrib.auth import login
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from casino.attendants import permissions, pins, signins, standing, tablets
from casino.attendants.models import Attendant, SignIn
from casino.establishments.clock import show_times_of
from games.refusals import Refused

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpRequest, HttpResponse

    from casino.attendants.models import Tablet

BACKEND: Final = "casino.attendants.backend.StaffBackend"
FLOOR: Final = "/floor/"
SHIFT: Final = timedelta(hours=16)
"""Who took this tablet over so lately stands first."""


@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def attendant(request: HttpRequest) -> HttpResponse:
    """The people who record at the tablet's house, and a pad for the PIN."""
    tablet = tablets.known(request.COOKIES.get(tablets.COOKIE, ""))
    if tablet is None:
        return render(request, "floor/no_tablet.html", {"next": back_to(request)})
    show_times_of(tablet.establishment)
    if request.method != "POST":
        return _pad(request, tablet)
    try:
        person = _taken_over(request, tablet)
    except Refused as refused:
        return _pad(request, tablet, refused=str(refused))
    begin(request, tablet, person)
    return redirect(back_to(request))


def _taken_over(request: HttpRequest, tablet: Tablet) -> Attendant:
    """:raises Refused: if it is nobody, or not their PIN."""
    named = request.POST.get("person", "")
    known = {str(each.pk): each for each in pins.people(tablet.establishment_id)}
    person = known.get(named)
    if person is None:
        raise pins.PinRefused("Tap your name first, then give your PIN. D3")
    pins.take_over(
        tablet=tablet,
        person=person,
        pin=request.POST.get("pin", ""),
        place=signins.where(request),
        now=timezone.now(),
    )
    return person


def begin(request: HttpRequest, tablet: Tablet, person: Attendant) -> None:
    """A session of the floor. Whoever was signed in here, also in full, is out."""
    request.session.flush()
    login(request, person, backend=BACKEND)
    request.session[standing.FLOOR] = standing.on_floor(tablet, person)


def _pad(request: HttpRequest, tablet: Tablet, *, refused: str = "") -> HttpResponse:
    lately = _lately(request, tablet)
    people = pins.people(tablet.establishment_id)
    context = {
        "house": tablet.establishment,
        "tablet": tablet,
        "people": sorted(people, key=lambda each: each.pk not in lately),
        "chosen": request.POST.get("person", ""),
        "next": back_to(request),
        "refused": refused,
        "digits": "123456789",
        "most": pins.MOST,
        "manages": permissions.may(request.user, "approve", tablet.establishment_id),
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if refused else HTTPStatus.OK
    return render(request, "floor/attendant.html", context, status=status)


def _lately(request: HttpRequest, tablet: Tablet) -> set[UUID | None]:
    """Who took this device over within the shift."""
    taken = SignIn.objects.filter(
        establishment=tablet.establishment_id,
        at__gt=timezone.now() - SHIFT,
        what=SignIn.What.PIN_TAKEN,
        device=signins.where(request).device,
    )
    return set(taken.values_list("attendant_id", flat=True))


def back_to(request: HttpRequest) -> str:
    """The page of the floor that one came from."""
    wanted = request.POST.get("next") or request.GET.get("next", "")
    ours = url_has_allowed_host_and_scheme(wanted, {request.get_host()})
    return wanted if ours and wanted.startswith(FLOOR) else reverse("floor")
