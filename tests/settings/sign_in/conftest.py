"""What tests of second factors begin with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.core.cache import cache

from casino.house.attendants.models import Attendant, Role
from tests.support.signing import somebody

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.builders import House


@pytest.fixture
def tries_forgotten() -> Iterator[None]:
    """What the cache counts of tries is this test's alone."""
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def orso(house: House) -> Attendant:
    return somebody(house, Role.MANAGER, "orso")


@pytest.fixture
def required(settings: Any) -> None:
    settings.SECOND_FACTOR = "required"
