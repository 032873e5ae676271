"""
Chooses the reader's language: the person's own choice, else the house's, else the browser's.

A person's choice is stored with the person, so on a shared tablet the language follows the
attendant. People who are not signed in may ask for one with `?language=it`. For programs (the API),
only `Accept-Language` counts, and the default is English. Guests have the language of their
browser, or the one they ask for, whoever is signed in: caches keep their pages.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from django.conf import settings
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import translation
from django.utils.cache import patch_vary_headers

from casino.words.languages import locales, spelling

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse

FOR_PROGRAMS: Final = "/api/"
FOR_GUESTS: Final = "/g/"
LANGUAGE_FIELD: Final = "language"

_chosen: ContextVar[bool] = ContextVar("language_was_chosen", default=True)


def code_if_spoken(language: str) -> str:
    """The language code if the house speaks this language, else ""."""
    return language if language in dict(settings.LANGUAGES) else ""


def languages_of_house() -> list[tuple[str, str]]:
    """The languages of the house, each with its own name for itself."""
    return list(settings.LANGUAGES)


def check_language(language: str) -> None:
    """:raises ValidationError: if there is no such language."""
    if not code_if_spoken(language):
        raise ValidationError(
            "%(language)s is not known; one of %(known)s.",
            params={"language": language, "known": ", ".join(dict(settings.LANGUAGES))},
        )


def begin(request: HttpRequest) -> None:
    """Activate the language of a request, as far as it is known before its house is known."""
    locales.use(locales.USUAL)
    locales.use_today(None)
    if request.path_info.startswith(FOR_PROGRAMS):
        _speak(translation.get_language_from_request(request), chosen=True)
    elif request.path_info.startswith(FOR_GUESTS):
        asked = language_asked_for(request)
        _speak(asked or translation.get_language_from_request(request), chosen=True)
    elif own := _own(request):
        _speak(own, chosen=True)
    else:
        _speak(translation.get_language_from_request(request), chosen=False)


def at_house(language: str, locale: str, symbol: str, digits: int, *, code: str = "") -> None:
    """
    Use the locale and coin of a house, and its language if the reader has not chosen one.

    :param code: the currency's code of ISO 4217; see `casino.words.languages.locales.use`.
    """
    if not _chosen.get() and code_if_spoken(language):
        translation.activate(language)
    locales.use(locale, symbol, digits, code=code)


def language_and_locale() -> str:
    """
    The active language, locale and coin, which are part of the ETag of pages.

    In ASCII: a header with "€" in it is sent encoded (RFC 2047), and is no ETag any more.
    """
    symbol, digits, _point, _thousands, first, _person = spelling.spelling()
    side = "<" if first else ""
    return f"{translation.get_language()}.{locales.current()}.{digits}{quote(symbol, '')}{side}"


def _own(request: HttpRequest) -> str:
    """
    The language that the reader has chosen; "" if none.

    Without a session cookie the user is not looked up, which saves each poll a query.
    """
    if settings.SESSION_COOKIE_NAME in request.COOKIES and request.user.is_authenticated:
        return code_if_spoken(request.user.language)
    return language_asked_for(request)


def language_asked_for(request: HttpRequest) -> str:
    """The language that the address or the sign-in form asks for; "" if none."""
    given = request.GET.get(LANGUAGE_FIELD, "")
    if not given and request.path_info == reverse("sign-in"):  # other forms are not read this early
        given = request.POST.get(LANGUAGE_FIELD, "")
    return code_if_spoken(given)


def _speak(language: str, *, chosen: bool) -> None:
    translation.activate(language)
    _chosen.set(chosen)


# The middleware that chooses the language of each response.


class LanguageMiddleware:
    """
    Activates the language of each request and sets the headers for it.

    It has to come after the authentication middleware. Each request chooses its language anew.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        begin(request)
        response = self._get_response(request)
        patch_vary_headers(response, ("Accept-Language",))
        response.headers.setdefault("Content-Language", translation.get_language() or "en")
        return response
