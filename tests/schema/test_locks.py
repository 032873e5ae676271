"""A locked row keeps nobody from saving rows that refer to it, or to what it refers to."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest
from django.db import connection, transaction

from casino.house.attendants.pseudonyms import tokens
from casino.play.dice import life
from tests.support import builders
from tests.support.at_once import at_once

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT: Final = Path(__file__).resolve().parents[2]
OF_ITSELF: Final = {"of": "('self',)", "no_key": "True"}


def locks() -> Iterator[tuple[str, dict[str, str]]]:
    """Each place that locks rows, with its options."""
    for folder in ("casino", "games", "ledger"):
        for path in sorted(ROOT.joinpath(folder).rglob("*.py")):
            source = path.read_text(encoding="utf-8")
            if "select_for_update" not in source:
                continue
            for node in ast.walk(ast.parse(source)):
                if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == (
                    "select_for_update"
                ):
                    options = {str(each.arg): ast.unparse(each.value) for each in node.keywords}
                    yield f"{path.relative_to(ROOT)}, line {node.lineno}", options


def test_a_lock_is_of_the_row_itself_and_lets_others_refer_to_it() -> None:
    """
    `ordering` by a foreign key joins the other table, and FOR UPDATE locks its row too.

    Whoever holds the lock of the ledger and saves a row that refers to that one then waits for the
    holder, who waits for the lock of the ledger.
    """
    found = list(locks())

    assert found
    assert [where for where, options in found if not OF_ITSELF.items() <= options.items()] == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite has one writer at a time")
def test_a_player_is_saved_while_a_dice_set_is_locked() -> None:
    house = builders.house()

    def save(_nth: int) -> dict[str, str]:
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '5s'")
        return tokens.player_tokens(house.id, ["Ada"], new=True)

    with transaction.atomic():
        life.take_up(house.establishment, house.dice.pk, life.Do.WITHDRAW)
        (saved,) = at_once(1, save)

    assert saved.keys() == {"Ada"}
