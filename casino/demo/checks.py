"""A check of `check --deploy`: nobody can sign in with the demo's password, which is public."""

from __future__ import annotations

from typing import Any

from django.core.checks import CheckMessage, Error
from django.db import DatabaseError

from casino.settings.staff.sign_in import demo_staff as staff


def nobody_of_the_demo(**_given: Any) -> list[CheckMessage]:
    """The check; it finds nothing if the database does not answer."""
    try:
        people = staff.that_anybody_may_be()
    except DatabaseError:
        return []
    if not people:
        return []
    return [
        Error(
            f"Anybody can sign in as {', '.join(people)}: the demo's password is printed.",
            hint="End their employment, or give each a password of their own.",
            id="demo.E001",
        )
    ]
