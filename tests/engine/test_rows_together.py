"""A few rows go to PostgreSQL as VALUES, many as arrays; all of them arrive."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.timezone import now

from casino.engine.databases.postgresql.compiler import FEW
from casino.proof.search.models import RoundAmount
from tests.support import builders

pytestmark = [
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no arrays"),
    pytest.mark.django_db,
]


@pytest.mark.parametrize(("rows", "arrays"), [(1, False), (FEW, False), (FEW + 1, True)])
def test_how_rows_are_sent(rows: int, arrays: bool) -> None:  # noqa: FBT001 - a row's column
    house = builders.house()
    with CaptureQueriesContext(connection) as asked:
        RoundAmount.objects.bulk_create(
            RoundAmount(establishment_id=house.id, amount=9, began_at=now(), position=position)
            for position in range(rows)
        )

    assert ["UNNEST" in each["sql"] for each in asked.captured_queries] == [arrays]
    kept = RoundAmount.objects.filter(establishment=house.id).order_by("position")
    assert list(kept.values_list("position", flat=True)) == list(range(rows))
