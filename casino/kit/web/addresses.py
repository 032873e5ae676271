"""
URL patterns that name their views; a view's module is imported on the first request.

There are some two hundred addresses, and an evening at the tables uses about twenty of them. All of
a pattern except its view exists from the start: `reverse` and `{% url %}` import nothing.
"""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from django.urls import NoReverseMatch, URLPattern, URLResolver, get_resolver, path, reverse
from django.urls.resolvers import RoutePattern
from django.utils.module_loading import import_string

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase


class Named:
    """A view given by its dotted name. Its attributes, such as `csrf_exempt`, are the view's."""

    def __init__(self, name: str, *given: str) -> None:
        self.name = name
        self.given = given

    @cached_property
    def view(self) -> Callable[..., HttpResponseBase]:
        """The view: the named function or class, or the result of calling it with `given`."""
        found: Any = import_string(self.name)
        if self.given:
            found = found(*self.given)
        return found.as_view() if isinstance(found, type) else found  # type: ignore[attr-defined, no-any-return]

    def __call__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        return self.view(request, *args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.view, name)


class Part(URLResolver):
    """Addresses under a namespace, all imported when one of them is first used."""

    def _populate(self) -> None:
        """Import nothing for other names. Django looks the namespace's up in `url_patterns`."""


def within(package: str, made_by: Callable[..., URLPattern] = path) -> Callable[..., URLPattern]:
    """A `django.urls.path` for views that are named relative to a package: ``"hall.tables"``."""
    return partial(_pattern, package, made_by)


def _pattern(
    package: str,
    made_by: Callable[..., URLPattern],
    route: str,
    view: str,
    *given: str,
    name: str | None = None,
) -> URLPattern:
    named = f"{package}.{view}"
    pattern = made_by(route, Named(named, *given), name=name)
    # Without it Django would read it off each view, and import all views at the first `reverse`.
    vars(pattern)["lookup_str"] = named
    return pattern


class Lists:
    """
    Makes the addresses of lists that have a page or an API view to themselves.

    A list is given by the name under which the room declares it (`casino.kit.web.listings`).
    """

    def __init__(self, package: str) -> None:
        self._lists = f"{package}.listings"

    def page(self, route: str, listing: str, *, name: str) -> URLPattern:
        return _listings(route, "pages.page_of", f"{self._lists}.{listing}", name=name)

    def api(self, route: str, listing: str) -> URLPattern:
        return _listings(route, "api.view_of", f"{self._lists}.{listing}")


_listings = within("casino.kit.web.listings")


def part(route: str, urlconf: str, namespace: str) -> Part:
    """A `django.urls.include` that imports its addresses on first use."""
    return Part(RoutePattern(route), urlconf, app_name=namespace, namespace=namespace)


def page_there(called: str, **arguments: object) -> str:
    """The address of a page of another part of the office, "" if there is no page of that name."""
    try:
        return reverse(called, kwargs=arguments)
    except NoReverseMatch:
        return ""


def import_all(patterns: Iterable[URLPattern | URLResolver] | None = None) -> None:
    """Import all named views, so that processes forked afterwards share them."""
    for each in get_resolver().url_patterns if patterns is None else patterns:
        if isinstance(each, URLResolver) and not isinstance(each, Part):
            import_all(each.url_patterns)
        elif isinstance(each, URLPattern) and isinstance(each.callback, Named):
            each.callback.view  # noqa: B018 - imported by being looked at
