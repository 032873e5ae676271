"""What tests of several programs share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.casino.processes import Site, site

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def place(tmp_path: Path, transactional_db: None) -> Iterator[Site]:
    """A database that programs of their own work on, beside the test."""
    del transactional_db
    with site(tmp_path) as here:
        yield here
