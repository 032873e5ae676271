"""
The language of whoever reads: their own choice, else the house's, else their browser's.

A person's choice is kept with the person, so that on a shared tablet the words follow the
attendant. Who is not signed in may ask with `?language=it`. Programs get what their
`Accept-Language` says, English where it says nothing: neither a person nor a house speaks there.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import translation

from casino.languages import locales, spelling

if TYPE_CHECKING:
    from django.http import HttpRequest

FOR_PROGRAMS: Final = "/api/"
LANGUAGE_FIELD: Final = "language"

_chosen: ContextVar[bool] = ContextVar("language_was_chosen", default=True)


def known(language: str) -> str:
    """The language if there is one of this code, else nothing."""
    return language if language in dict(settings.LANGUAGES) else ""


def known_language(language: str) -> None:
    """:raises ValidationError: if there is no such language."""
    if not known(language):
        raise ValidationError(
            "%(language)s is not known; one of %(known)s.",
            params={"language": language, "known": ", ".join(dict(settings.LANGUAGES))},
        )


def begin(request: HttpRequest) -> None:
    """What a request is answered in, as far as it is known before a house is."""
    locales.use(locales.USUAL)
    if request.path_info.startswith(FOR_PROGRAMS):
        _speak(translation.get_language_from_request(request), chosen=True)
    elif own := _own(request):
        _speak(own, chosen=True)
    else:
        _speak(translation.get_language_from_request(request), chosen=False)


def at_house(language: str, locale: str, symbol: str, digits: int) -> None:
    """The house is known: it writes as it does, and speaks to who has chosen nothing."""
    if not _chosen.get() and known(language):
        translation.activate(language)
    locales.use(locale, symbol, digits)


def language_and_locale() -> str:
    """What a page that is kept by its mark depends on beside what it shows."""
    symbol, digits, *_marks = spelling.spelling()
    return f"{translation.get_language()}.{locales.current()}.{digits}{symbol}"


def _own(request: HttpRequest) -> str:
    """Of a browser that sends no session nothing is asked: that costs a poll no query."""
    if settings.SESSION_COOKIE_NAME in request.COOKIES and request.user.is_authenticated:
        return known(request.user.language)
    return requested_language(request)


def requested_language(request: HttpRequest) -> str:
    """What somebody who is not signed in wants to read, as the address or the form says."""
    given = request.GET.get(LANGUAGE_FIELD, "")
    if not given and request.path_info == reverse("sign-in"):  # no other form is read this early
        given = request.POST.get(LANGUAGE_FIELD, "")
    return known(given)


def _speak(language: str, *, chosen: bool) -> None:
    translation.activate(language)
    _chosen.set(chosen)
