"""A floor tablet: its name, kept in a cookie, and the change of attendant by PIN on it (D3)."""

from __future__ import annotations

import uuid
from datetime import timedelta
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from django.contrib.auth import login
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from casino.house.attendants import assurance, known_browsers, permissions, pins, signins
from casino.house.attendants.models import Attendant, SignIn
from casino.house.establishments.clock import show_times_of
from casino.play.core import operations, queries
from casino.play.core.stories import table_name
from casino.play.devices.models import DEVICE_MAX
from casino.settings.staff import tablets
from games.refusals import NoGame, Refused

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpRequest

    from casino.house.acts.game_streams.loading import Loaded
    from casino.house.attendants.models import Tablet
    from games.messages import HandoverOffered

BACKEND: Final = "casino.house.attendants.backend.StaffBackend"
FLOOR: Final = "/floor/"
SHIFT: Final = timedelta(hours=16)
"""People who took this tablet over within this time are listed first."""


@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def attendant(request: HttpRequest) -> HttpResponse:
    """
    The page with the people who record at the tablet's house, and a PIN pad; over a table, a sheet.

    ``?sign=`` names a game whose table is handed over: whoever takes the tablet over signs for it
    (B3).
    """
    tablet = tablets.tablet_of_cookie(request.COOKIES.get(tablets.COOKIE, ""))
    if tablet is None:
        context = {"next": back_to(request)}
        return _page(request, context, page="floor/tables/no_tablet.html")
    show_times_of(tablet.establishment)
    if request.method != "POST":
        return _pad(request, tablet)
    try:
        person = _take_over(request, tablet)
    except Refused as refused:
        return _pad(request, tablet, refused=str(refused))
    begin(request, tablet, person)
    _sign(request, tablet, person)
    if not _is_fragment(request):
        return redirect(back_to(request))
    # The page is loaded again: half-entered fields and names on it were the previous attendant's.
    return HttpResponse(status=HTTPStatus.NO_CONTENT, headers={"Floor-Reload": "yes"})


def _take_over(request: HttpRequest, tablet: Tablet) -> Attendant:
    """
    The person who takes the tablet over.

    :raises Refused: if the name is not known here, or the PIN is wrong.
    """
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
    """Begin a session of the floor. Whoever was signed in here, also in full, is signed out."""
    request.session.flush()
    login(request, person, backend=BACKEND)
    assurance.begin_session(request.session, timezone.now(), idles=False)
    request.session[assurance.FLOOR] = assurance.on_floor(tablet, person)


def _sign(request: HttpRequest, tablet: Tablet, person: Attendant) -> None:
    """
    Sign the handover of a table as the second person (B3), if the page asked for it.

    If the offer has lapsed meanwhile, nothing is signed: the board shows the present state.
    """
    offered = _open_offer(request, tablet)
    if offered is None or offered[1].to != str(person.pk):
        return
    now = timezone.now()
    person.standing = assurance.of_session(request.session)
    operations.command(
        by=person,
        house=tablet.establishment,
        game=offered[0].key.game,
        raw={"do": "handover", "to": str(person.pk), "command_id": str(uuid.uuid4())},
        now=now,
        device=device_of_request(request),
    )


def _open_offer(request: HttpRequest, tablet: Tablet) -> tuple[Loaded, HandoverOffered] | None:
    """The game whose table is to be signed for on this tablet, and its open offer of a handover."""
    try:
        game = uuid.UUID(request.POST.get("sign", request.GET.get("sign", "")))
        loaded = queries.find([tablet.establishment_id], game)
    except (ValueError, NoGame):
        return None
    return (loaded, loaded.state.offered[1]) if loaded.state.offered is not None else None


def _pad(request: HttpRequest, tablet: Tablet, *, refused: str = "") -> HttpResponse:
    recent = _recent_sign_ins(request, tablet)
    people = pins.people(tablet.establishment_id)
    if _is_fragment(request):  # over a table the attendant changes, or the sheet is closed
        people = [each for each in people if each.pk != request.user.pk]
    people.sort(key=lambda each: each.pk not in recent)
    chosen = request.POST.get("person") or request.GET.get("person", "")
    context = {
        "house": tablet.establishment,
        "tablet": tablet,
        "people": people,
        "chosen": chosen or _likely(request, people, recent),
        "next": back_to(request),
        "refused": refused,
        "digits": "123456789",
        "most": pins.MOST,
        "manages": permissions.may(request.user, "approve", tablet.establishment_id),
        "signs": _signs(request, tablet),
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if refused else HTTPStatus.OK
    return _page(request, context, status=status)


def _likely(request: HttpRequest, people: list[Attendant], recent: set[UUID | None]) -> str:
    """Over a table, the person to preselect: the only one, or the only other one of the shift."""
    if not _is_fragment(request):
        return ""
    shift = [each for each in people if each.pk in recent]
    return str((shift or people)[0].pk) if len(shift) == 1 or len(people) == 1 else ""


def _signs(request: HttpRequest, tablet: Tablet) -> dict[str, Any] | None:
    """What the incoming attendant reads before signing."""
    offered = _open_offer(request, tablet)
    if offered is None:
        return None
    loaded, offer = offered
    return {
        "game": str(loaded.key.game),
        "table": table_name(tablet.establishment, loaded),
        "round": offer.round,
        "version": offer.version,
    }


def _page(
    request: HttpRequest,
    context: dict[str, Any],
    *,
    page: str = "floor/tables/attendant.html",
    status: int = HTTPStatus.OK,
) -> HttpResponse:
    template = "floor/tables/sheets/_attendant.html" if _is_fragment(request) else page
    return render(request, template, context, status=status)


def _is_fragment(request: HttpRequest) -> bool:
    return request.headers.get("HX-Request") == "true"


def _recent_sign_ins(request: HttpRequest, tablet: Tablet) -> set[UUID | None]:
    """The people who took this device over within the shift."""
    taken = SignIn.objects.filter(
        establishment=tablet.establishment_id,
        at__gt=timezone.now() - SHIFT,
        what=SignIn.What.PIN_TAKEN,
        device=signins.where(request).device,
    )
    return set(taken.values_list("attendant_id", flat=True))


def back_to(request: HttpRequest) -> str:
    """The page of the floor from which the person came."""
    address = request.POST.get("next") or request.GET.get("next", "")
    ours = url_has_allowed_host_and_scheme(address, {request.get_host()})
    return address if ours and address.startswith(FLOOR) else reverse("floor")


# The name of a tablet or desk: random, kept in a cookie, so that its entries can be attributed.


DEVICE_COOKIE: Final = "device"
PREFIX: Final = "floor"
GIVEN: Final = "casino.device"  # in the request: the name that its answer has to set as a cookie
KEPT_FOR: Final = 10**8  # seconds


def device_of_request(request: HttpRequest) -> str:
    """The device's name; a browser without one gets one, and its answer sets the cookie."""
    given = request.COOKIES.get(DEVICE_COOKIE, "")
    if not (given.startswith(f"{PREFIX}-") and given.isascii() and len(given) <= DEVICE_MAX):
        given = request.COOKIES[DEVICE_COOKIE] = f"{PREFIX}-{uuid.uuid4().hex[:12]}"
        request.META[GIVEN] = given
    return given


def set_device_cookie(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """The answer, with the cookie if the browser has none yet."""
    device_of_request(request)
    if given := request.META.get(GIVEN):
        known_browsers.keep(request, response, DEVICE_COOKIE, given, KEPT_FOR)
    return response
