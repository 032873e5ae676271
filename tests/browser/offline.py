"""A table without a line: what is done at it, and what the house has of it."""

from __future__ import annotations

import re
import uuid
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from playwright.sync_api import Page, expect

from tests.browser.people import foresees

if TYPE_CHECKING:
    from tests.browser.conftest import People
    from tests.browser.people import Person
    from tests.browser.running import House

SESSION = re.compile("sessionid$")  # with or without a prefix: the house says how it is reached
SOON = 15_000  # milliseconds; the longest time between two tries
PAIR, RUN = (2, 2, 7), (3, 4, 5)  # Ada loses 7 each round, and begins the next
ADA_PAIR = "\u2068Ada\u2069 \u20682-2-7\u2069"  # in words, each part written in its own direction
ENTRIES = "**/entries/"
KEPT = "path => caches.match(path, { ignoreSearch: true }).then(Boolean)"
GIVEN = """async ([game, version]) => (await window.floor.store.game(game))?.version >= version"""
WOULD_ASK = """() => {
    const leaving = new Event("beforeunload", { cancelable: true });
    window.dispatchEvent(leaving);
    return leaving.defaultPrevented;
}"""


def at_a_table(people: People, *names: str, stake: int = 200, **settings: Any) -> Person:
    """Mira with a game of Stone Hand open, and a page that foresees what comes of a throw."""
    mira = people.arrives("mira", **settings)
    mira.opens("Table 1", *(names or ("Ada", "Bo")), stake=stake)
    foresees(mira.page)
    return mira


def throw(person: Person, *dice: int) -> None:
    """Tap the dice; the page answers at once, whatever the line does."""
    number = int(person.page.locator("#main").get_attribute("data-version") or "")
    person.taps(*dice)
    expect(person.page.locator("#main")).not_to_have_attribute("data-version", str(number))


def round_of(person: Person) -> None:
    throw(person, *PAIR)
    throw(person, *RUN)


def waits(person: Person, how_many: int) -> None:
    count = person.page.locator("[data-waiting-count]")
    if how_many:
        expect(count).to_have_text(f"{how_many} waiting", timeout=SOON)
    else:
        expect(count).to_be_hidden(timeout=SOON)
        unsaid = person.page.locator("#say").filter(has_text="Not recorded yet")
        expect(unsaid).to_have_count(0)  # said as long as it is so


def asks(person: Person, about: str) -> Any:
    """What stands above the keys."""
    bar = person.page.locator(f'#asks [data-ask="{about}"]')
    expect(bar).to_be_visible(timeout=SOON)
    return bar


def thrown(house: House, game: str) -> list[tuple[str, datetime, datetime]]:
    """Every throw on record: by which command, when it happened and when it was recorded."""
    rows = house.rows(
        "SELECT command_id, occurred_at, recorded_at FROM ledger_event"
        " WHERE stream = ? AND event_type LIKE ? ORDER BY stream_version",
        f"game/{game}", "%.dice_thrown",
    )  # fmt: skip
    return [(str(command), moment(at), moment(recorded)) for command, at, recorded in rows]


def moment(stored: object) -> datetime:
    at = stored if isinstance(stored, datetime) else datetime.fromisoformat(str(stored))
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def fates(house: House, game: str) -> list[str]:
    """What became of each entry that the sequence book has, by number."""
    rows = house.rows(
        "SELECT command_id FROM devices_deviceentry WHERE game = ? ORDER BY device, seq",
        key(house, game),
    )
    return [became(house, uuid.UUID(str(command))) for (command,) in rows]


def come_to(person: Person, house: House, *wanted: str, game: str = "") -> None:
    """
    Look again until the book has them: a page that has just come counts nothing yet.

    :param game: the page's, if it is not given.
    """
    game = game or person.game
    for _ in range(SOON // 250):
        if fates(house, game) == list(wanted):
            return
        person.page.wait_for_timeout(250)
    assert fates(house, game) == list(wanted)


def became(house: House, command: uuid.UUID) -> str:
    """An entry that was refused is listed or dropped under an id of its own."""
    ids = [command, *(uuid.uuid5(command, apart) for apart in ("late", "dropped"))]
    kinds = [
        kind
        for each in ids
        for (kind,) in house.rows(
            "SELECT event_type FROM ledger_event WHERE command_id = ? ORDER BY command_seq",
            key(house, str(each)),
        )
    ]
    return (
        {"late.listed": "late", "late.dropped": "dropped"}.get(kinds[0], "recorded")
        if kinds
        else "refused"
    )


def key(house: House, game: str) -> str:
    """A UUID as the database writes it."""
    return game if house.database else game.replace("-", "")


def held_up(page: Page) -> None:
    """No entry reaches the house; everything else does."""
    page.route(ENTRIES, lambda route: route.abort())


def let_through(page: Page) -> None:
    page.unroute(ENTRIES)
    page.evaluate("window.floor.send.all()")


def no_line(person: Person) -> None:
    person.page.context.set_offline(True)
    expect(person.page.get_by_text("no line", exact=True)).to_be_visible(timeout=SOON)


def line_again(person: Person) -> None:
    person.page.context.set_offline(False)
    expect(person.page.get_by_text("online", exact=True)).to_be_visible(timeout=SOON)
