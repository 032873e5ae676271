"""Pagination of lists: by a signed cursor, or by the numbers that events have anyway."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.core import signing
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from casino.kit.web.api import params
from games.refusals import Malformed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from rest_framework.request import Request
    from rest_framework.views import APIView

    Row = Mapping[str, Any]

SALT: Final = "casino.api.cursor"
PAGE: Final = 50
PAGE_MAX: Final = 200
NUMBERED_PAGE: Final = 100
NUMBERED_PAGE_MAX: Final = 500


class Pages(CursorPagination):
    """How the description tells of a page: in OpenAPI 3.1, what may be null says so by its type."""

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        address = {"type": ["string", "null"], "format": "uri"}
        fields = {"next": address, "previous": address, "results": schema}
        return {"type": "object", "required": list(fields), "properties": fields}


class SignedCursorPagination(Pages):
    """Pagination by a signed cursor. A cursor with a valid signature needs no other check."""

    page_size = PAGE
    max_page_size = PAGE_MAX
    page_size_query_param = "limit"

    def get_page_size(self, request: Request) -> int:
        return params.number(request, "limit", default=PAGE, least=1, most=PAGE_MAX)

    def decode_cursor(self, request: Request) -> Cursor | None:
        given = request.query_params.get(self.cursor_query_param)
        if given is None:
            return None
        try:
            return Cursor(*signing.loads(given, salt=SALT))
        except signing.BadSignature:
            raise Malformed(
                "cursor: take it from next or previous of a page before.", field="cursor"
            ) from None

    def get_schema_operation_parameters(self, view: APIView) -> list[dict[str, Any]]:
        del view
        bounds = {"type": "integer", "minimum": 1, "maximum": PAGE_MAX}
        return [
            query("cursor", {"type": "string"}, "From next or previous of a page before."),
            query("limit", bounds, f"{PAGE} if absent."),
        ]

    def encode_cursor(self, cursor: Cursor) -> str:
        signed = signing.dumps([cursor.offset, cursor.reverse, cursor.position], salt=SALT)
        return replace_query_param(str(self.base_url), self.cursor_query_param, signed)


def query(name: str, schema: dict[str, Any], description: str) -> dict[str, Any]:
    return {
        "name": name,
        "in": "query",
        "required": False,
        "description": description,
        "schema": schema,
    }


class NewestGamesFirst(SignedCursorPagination):
    ordering = ("-opened_at", "-game")


class ByName(SignedCursorPagination):
    ordering = ("name", "id")


def page_of_numbers(
    request: Request, *, start: int, number: str, fetch: Callable[[int, int], Sequence[Row]]
) -> Response:
    """
    A page of rows that have consecutive numbers.

    :param start: the number before the first one.
    :param number: the field of a row that holds its number.
    :param fetch: (after, limit) -> rows with numbers greater than `after`, in order.
    :raises Malformed: if `after` or `limit` is not a number in range.
    """
    after = params.number(request, "after", default=start, least=start)
    limit = params.number(request, "limit", default=NUMBERED_PAGE, least=1, most=NUMBERED_PAGE_MAX)
    found = fetch(after, limit + 1)
    rows = found[:limit]
    here = request.build_absolute_uri()
    back = max(start, after - limit)
    return Response(
        {
            "next": replace_query_param(here, "after", rows[-1][number])
            if len(found) > limit
            else None,
            "previous": replace_query_param(here, "after", back) if after > start else None,
            "results": rows,
        }
    )
