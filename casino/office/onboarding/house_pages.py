"""Set-up pages of the house itself: correcting its settings, resuming and finishing the set-up."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, ClassVar

from django.core.exceptions import ValidationError
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation.trans_real import parse_accept_lang_header
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from casino.house.attendants import permissions
from casino.house.attendants.models import Attendant
from casino.house.home_throws import operations as home_throws
from casino.kit.web.current_house import choose
from casino.kit.web.forms import ActForm, blame, status_of
from casino.kit.web.pages import Page, office
from casino.office.onboarding import links, readiness
from casino.office.onboarding import operations as onboarding
from casino.office.onboarding.frame import SECTION, save, step
from casino.play.dice.models import DiceSet
from casino.settings.configuration.forms.house import HouseForm
from casino.settings.configuration.house_pages import reload
from casino.settings.configuration.operations import Changing
from casino.settings.staff.sign_in import middleware
from casino.settings.staff.sign_in.invited import NewcomerForm
from casino.settings.staff.sign_in.pages import enter
from casino.words.languages import currencies, locales, reader
from games.refusals import Refused

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


# The page that founds a house with its first manager, opened by the link that founds houses.


USUAL = {
    "currency": "coin",
    "currency_symbol": "c",
    "coin_digits": 0,
    "time_zone": "UTC",
    "locale": "en-GB",
    "day_cutoff": "06:00",
    "counts_floats": True,
}
HOUSE_FIELDS = (
    "name", "time_zone", "language", "locale", "currency_code", "currency", "currency_symbol",
    "coin_digits", "day_cutoff", "counts_floats",
)  # fmt: skip


class HouseStep(HouseForm):
    """Asks what has to be known first about a house; the other settings have their defaults."""

    class Meta(HouseForm.Meta):
        fields: ClassVar = list(HOUSE_FIELDS)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["counted"]


@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def first_step(request: HttpRequest) -> HttpResponse:
    """The first step: found a house by a link. The link's key is in the query (see `links`)."""
    secret = request.GET.get("key", "")
    known = isinstance(request.user, Attendant) and not middleware.on_the_floor(request)
    try:
        links.unspent(secret)
        form = _form(request)
        person = None if known else NewcomerForm(request.POST or None, prefix="person")
        if form.is_valid() and (person is None or person.is_valid()):
            return _answer_form(request, secret, form, person)
    except Refused as refused:
        context = {"refused": str(refused)}
        status = HTTPStatus.UNPROCESSABLE_ENTITY
        return render(request, "office/onboarding/found.html", context, status=status)
    return _founding(request, form, person)


def _form(request: HttpRequest) -> HouseStep:
    """
    The form of the house, filled in as far as the browser says where and who it is.

    Language and locale are those that it asks for. Its time zone only a script knows, which then
    proposes the currency of that country, too.
    """
    if request.POST:
        return HouseStep(request.POST, initial=USUAL, prefix="house")
    language = reader.code_if_spoken(translation.get_language() or "")
    locale = _locale(request.headers.get("Accept-Language", ""))
    form = HouseStep(initial={**USUAL, "language": language, "locale": locale}, prefix="house")
    zone = form.fields["time_zone"]
    zone.widget.attrs["data-currencies"] = json.dumps(currencies.of_zones())
    zone.help_text = _("As this browser has it. By it a gaming day begins and ends.")
    return form


def _locale(header: str) -> str:
    """The first of the house's locales that a browser asks for: it-IT for "it-CH, de;q=0.8"."""
    asked = [each for each, _quality in parse_accept_lang_header(header)]
    known = {locale.lower(): locale for locale in locales.LOCALES}
    known |= {each.partition("-")[0]: known[each] for each in reversed(known)}  # en is en-GB
    plain = [name for each in asked for name in (each, each.partition("-")[0])]
    return next((known[name] for name in plain if name in known), locales.USUAL)


def _answer_form(
    request: HttpRequest, secret: str, form: HouseStep, person: NewcomerForm | None
) -> HttpResponse:
    def manager() -> Attendant:
        if person is None:
            return permissions.person_of(request)
        wanted = {name: value for name, value in person.cleaned_data.items() if name != "again"}
        return onboarding.newcomer(**wanted)

    values = {name: form.cleaned_data[name] for name in HOUSE_FIELDS}
    try:
        house, who = onboarding.create_house(secret=secret, values=values, manager=manager)
    except ValidationError as invalid:
        blame(person or form, invalid)
        return _founding(request, form, person)
    if person is not None:
        enter(request, who, way="password")
    choose(request, house)
    return redirect("set-up-tables")


def _founding(request: HttpRequest, form: HouseStep, person: NewcomerForm | None) -> HttpResponse:
    context = {"form": form, "person": person}
    return render(request, "office/onboarding/found.html", context, status=status_of(form, person))


class HouseAgain(HouseStep, ActForm):
    """The form of the first step again, for a house that exists."""


@office("configure", section=SECTION)
def resume(page: Page) -> HttpResponse:
    """Redirect to the step at which the set-up was left."""
    return redirect(f"set-up-{page.house.setting_up}" if page.house.setting_up else "settings")


@office("configure", section=SECTION)
def house(page: Page) -> HttpResponse:
    form = HouseAgain(page.sent, instance=reload(page))
    done = save(page, "house", form, lambda _act: [Changing(reload(page), form.values())])
    return done or step(page, "house", {"form": form})


@office("configure", section=SECTION)
def last_step(page: Page) -> HttpResponse:
    """
    The last step: what the house has, what the first game waits for, and the button that finishes.

    It leads to the table where the first game is opened; to the floor if none can be opened yet.
    """
    if page.posted:
        onboarding.finish(page.house)
        now = readiness.ready(page.house, page.now)
        said = _("The house is set up.")
        if now.opens and now.table is not None:
            return page.done(said, "floor-open", table=now.table.pk)
        return page.done(said, "floor")
    throws = home_throws.of_each_game(page.house, page.now).values()
    context = {
        "ready": readiness.ready(page.house, page.now),
        "tables": page.house.tables.filter(in_use=True).count(),
        "sets": DiceSet.objects.filter(establishment=page.house, withdrawn=False).count(),
        "throws": {throw.faces for throw in throws if throw},
    }
    return step(page, "done", context)
