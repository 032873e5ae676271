"""Who stands beside the first manager."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from casino.house.attendants.models import Attendant, Role
from tests.support import builders

if TYPE_CHECKING:
    from tests.support.builders import House


@pytest.fixture
def second(house: House) -> Attendant:
    """Another manager, who approves."""
    return builders.employed(house.establishment, Role.MANAGER)
