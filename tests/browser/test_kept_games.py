"""A game that this device has kept, and that its scripts cannot go on from, is asked for anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.offline import at_a_table
from tests.browser.people import foresees, until

if TYPE_CHECKING:
    from tests.browser.conftest import People

pytestmark = [pytest.mark.browser, pytest.mark.long]
KEPT = "async game => Boolean(await floor.store.game(game))"
SPOIL = """async game => {
    const kept = await floor.store.game(game);
    await floor.store.keepGame({ ...kept, given: { ...kept.given, events: null } });
}"""


def test_a_kept_game_that_cannot_be_started_is_asked_for_anew(people: People) -> None:
    mira = at_a_table(people)
    until(mira.page, KEPT, mira.game)
    mira.page.wait_for_timeout(1_500)  # it is kept once more after news
    mira.page.evaluate(SPOIL, mira.game)

    mira.page.reload()

    foresees(mira.page)
