"""Conditional requests (RFC 9110, 13.1.2): whether whoever asks has the answer already."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpResponseNotModified
from django.utils.http import parse_etags

if TYPE_CHECKING:
    from django.http import HttpRequest
    from rest_framework.request import Request


def holds(request: HttpRequest | Request, etag: str) -> bool:
    """
    Whether If-None-Match names this ETag, so that 304 is the answer.

    The comparison is the weak one of RFC 9110, 8.8.3.2: a proxy that compresses an answer marks its
    ETag as weak (``W/``), and the answer is still the one that it names.
    """
    named = parse_etags(request.META.get("HTTP_IF_NONE_MATCH", ""))
    return named == ["*"] or opaque(etag) in map(opaque, named)


def not_modified(request: HttpRequest, etag: str) -> HttpResponseNotModified | None:
    """304 under this ETag if whoever asks has the answer; None if it has to be sent."""
    return HttpResponseNotModified(headers={"ETag": etag}) if holds(request, etag) else None


def opaque(etag: str) -> str:
    """An ETag without the mark that it is weak."""
    return etag.removeprefix("W/")
