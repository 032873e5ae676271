"""A house, and something to ask for in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support import approving, builders

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.builders import House


@pytest.fixture
def house() -> House:
    return builders.house()


@pytest.fixture(autouse=True)
def _drop() -> Iterator[None]:
    with approving.registered():
        yield
