"""A cursor of psycopg's whose statements are prepared at once: they are few, and asked often."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import psycopg

if TYPE_CHECKING:
    from psycopg.abc import Params


class Cursor(psycopg.Cursor[tuple[Any, ...]]):
    def execute(
        self,
        query: Any,
        params: Params | None = None,
        *,
        prepare: bool | None = True,
        binary: bool | None = None,
    ) -> Cursor:
        return super().execute(query, params, prepare=prepare, binary=binary)
