"""Lists in the API: the same filters and order as on their pages, paged by a cursor."""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING, Any, ClassVar, Final
from uuid import UUID

from django.utils.module_loading import import_string
from django.utils.translation import override
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from casino.engine.scale.replicas import place as replicas
from casino.kit.web.api import paging, params, schema
from casino.kit.web.api.answers import Shape
from casino.kit.web.api.houses import own, role_at
from casino.kit.web.listings.listing import Viewer
from casino.kit.web.listings.request import LINES, LINES_MAX, strict_request

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rest_framework.request import Request
    from rest_framework.serializers import Serializer
    from rest_framework.views import APIView

    from casino.house.attendants.permissions import Act
    from casino.house.establishments.models import Establishment
    from casino.kit.web.listings.listing import Listing


class Keyset(paging.Pages):
    """How the description tells of pages; they are cut by `casino.kit.web.listings.keyset`."""

    def get_schema_operation_parameters(self, view: APIView) -> list[dict[str, Any]]:
        del view
        bounds = {"type": "integer", "minimum": 1, "maximum": LINES_MAX}
        return [
            paging.query("cursor", {"type": "string"}, "From next or previous of a page before."),
            paging.query("limit", bounds, f"{LINES} if absent."),
        ]


def viewer(request: Request, house: Establishment) -> Viewer:
    """Who asks, over HTTP."""
    return Viewer(
        house=house,
        person=params.person(request),
        role=role_at(request, house),
        request=request,
        surface="api",
    )


def values(listing: Listing[Any, Any], viewer: Viewer, rows: Sequence[Any]) -> list[dict[str, Any]]:
    """Rows by the columns of the API, as a serializer takes them."""
    columns = listing.seen_by(viewer)
    return [
        {column.name: column.of(item) for column in columns} for item in listing.items(viewer, rows)
    ]


def fields(listing: Listing[Any, Any], viewer: Viewer, rows: Sequence[Any]) -> list[dict[str, Any]]:
    """Rows as the API has them: moments and days in ISO 8601, ids as text."""
    return [_plain(each) for each in values(listing, viewer, rows)]


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    return {name: _write_value(value) for name, value in row.items()}


def _write_value(value: Any) -> Any:
    if isinstance(value, datetime | date):
        return value.isoformat()
    return str(value) if isinstance(value, UUID) else value


class ListView(ListAPIView[Any]):
    # The API's view of a list. No docstring: it would appear in the description of every list.

    listing: ClassVar[Listing[Any, Any]]
    pagination_class = Keyset
    filter_backends = ()
    sees: ClassVar[tuple[Act, ...]] = ()
    """Whoever may do one of these may look; without any, all staff of the house."""
    through_shape: ClassVar[bool] = False
    """The serializer writes the values: moments as Django's settings have them."""

    def viewer(self, request: Request) -> Viewer:
        """Who asks; refused if they may not see the list."""
        return viewer(request, own(request, self.kwargs["establishment"], *self.sees))

    def get(self, request: Request, *_args: Any, **_named: Any) -> Response:
        seen_by = self.viewer(request)

        def answer() -> Response:
            return self._lines(request, seen_by)

        if not self.listing.from_replica:
            return answer()
        return replicas.page(answer, house=seen_by.house.pk, person=seen_by.person.pk)

    def _lines(self, request: Request, seen_by: Viewer) -> Response:
        query = strict_request(self.listing, seen_by, request.query_params.dict())
        part = query.page()
        results: Any = values(self.listing, query.viewer, part.rows)
        if self.through_shape:
            results = self.get_serializer(results, many=True).data
        else:
            results = [_plain(each) for each in results]
        here = request.build_absolute_uri()
        pages = {
            name: replace_query_param(here, "cursor", str(cursor)) if cursor else None
            for name, cursor in (("next", part.next), ("previous", part.previous))
        }
        return Response({**pages, "results": results})


def list_view(  # noqa: PLR0913 - what is said of a list
    listing: Listing[Any, Any],
    shape: type[Serializer[Any]],
    summary: str,
    *,
    about: str = "",
    sees: tuple[Act, ...] = (),
    through_shape: bool = False,
    takes: type[ListView] = ListView,
) -> type[ListView]:
    """
    The API's view of a list.

    :param shape: describes a row: one field for each column of the API.
    :param about: further sentences of its description.
    :param takes: a view with what may be sent to the same address, such as a ``post``.
    """

    def get(self: ListView, request: Request, *args: Any, **named: Any) -> Response:
        return ListView.get(self, request, *args, **named)

    described = schema.describe_operation(
        summary,
        answers={200: shape(many=True)},
        errors=(400, 403, 404) if sees else (400, 404),
        parameters=[*listing.filters.parameters(), *_sorting(listing)],
        description=about or None,
    )
    more = {
        "get": described(get),  # only `get`: other methods have their own description
        "listing": listing,
        "serializer_class": shape,
        "sees": sees,
        "through_shape": through_shape,
    }
    return type(shape.__name__ + "List", (takes,), more)


def view_of(path: str) -> type[ListView]:
    """
    The API's view of a list, described by its columns.

    :param path: where the list is declared, such as ``casino.kit.web.jobs.listings.JOBS``.
    """
    listing: Listing[Any, Any] = import_string(path)
    with override("en"):  # the API is described in one language
        summary, about = str(listing.title), str(listing.about)
    return list_view(
        listing, shape_of(listing), summary, about=about, sees=listing.sees, through_shape=True
    )


class _Text(serializers.CharField):
    def __init__(self, **more: Any) -> None:
        super().__init__(allow_blank=True, **more)


FIELDS: Final[Mapping[str, type[serializers.Field[Any, Any, Any, Any]]]] = {
    "number": serializers.IntegerField,
    "money": serializers.IntegerField,
    "moment": serializers.DateTimeField,
    "day": serializers.DateField,
}


def shape_of(listing: Listing[Any, Any]) -> type[Serializer[Any]]:
    """The serializer of a list's rows: a field for each column of the API, by its kind."""
    fields: dict[str, Any] = {}
    with override("en"):
        for column in listing.columns:
            if "api" in column.on:
                field = FIELDS.get(column.kind, _Text)
                fields[column.name] = field(allow_null=True, help_text=str(column.title))
    name = "".join(word.capitalize() for word in listing.name.replace("_", "-").split("-"))
    return type(f"{name}Row", (Shape,), fields)


def _sorting(listing: Listing[Any, Any]) -> list[OpenApiParameter]:
    names = [f"{sign}{name}" for name in listing.sorts for sign in ("", "-")]
    return [OpenApiParameter("sort", {"type": "string", "enum": names})] if names else []
