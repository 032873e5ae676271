"""Reports are made on the evening of which they tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import time_machine

from tests.support.playing import NOW

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def at_night() -> Iterator[None]:
    with time_machine.travel(NOW, tick=False):
        yield
