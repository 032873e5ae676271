"""Workers are woken by what is committed and nothing else; a broker that is away stops nobody."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.db import transaction
from kombu.exceptions import OperationalError as BrokerDown
from structlog.testing import capture_logs

from casino import nudging

if TYPE_CHECKING:
    from pytest_django import DjangoCaptureOnCommitCallbacks

pytestmark = pytest.mark.django_db


def test_a_worker_is_woken_once_it_is_committed(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    woken: list[str] = []

    with django_capture_on_commit_callbacks(execute=True):
        nudging.after_commit(lambda: woken.append("now"))
        assert woken == []

    assert woken == ["now"]


def test_what_is_rolled_back_wakes_nobody(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    woken: list[str] = []

    with django_capture_on_commit_callbacks(execute=True), transaction.atomic():
        nudging.after_commit(lambda: woken.append("never"))
        transaction.set_rollback(True)

    assert woken == []


@pytest.mark.parametrize("down", [BrokerDown("away"), ConnectionRefusedError("away")])
def test_a_broker_that_is_away_is_noted_and_stops_nobody(
    down: Exception, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    def wake() -> None:
        raise down

    with capture_logs() as said, django_capture_on_commit_callbacks(execute=True):
        nudging.after_commit(wake)

    assert [each["event"] for each in said] == ["nudge_lost"]
