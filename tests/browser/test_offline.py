"""A table without a line: what is entered meanwhile, and what becomes of it (E5)."""

from __future__ import annotations

import re
import uuid
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Page, expect

from tests import processes
from tests.browser.people import foresees, until

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Route

    from tests.browser.conftest import People
    from tests.browser.people import Person
    from tests.browser.running import House

pytestmark = pytest.mark.browser
SESSION = re.compile("sessionid$")  # with or without a prefix: the house says how it is reached
SOON = 15_000  # milliseconds; the longest time between two tries
PAIR, RUN = (2, 2, 7), (3, 4, 5)  # Ada loses 7 each round, and begins the next
ENTRIES = "**/entries/"
KEPT = "path => caches.match(path, { ignoreSearch: true }).then(Boolean)"
GIVEN = """async ([game, version]) => (await window.floor.store.game(game))?.version >= version"""
LATE_INDEXED_DB = """
    const open = IDBFactory.prototype.open;
    IDBFactory.prototype.open = function (...name) {
        const late = {};
        window.baseOpens = () => {
            const asked = open.apply(this, name);
            Object.defineProperty(late, "result", { get: () => asked.result });
            for (const on of ["onupgradeneeded", "onerror", "onsuccess"]) asked[on] = late[on];
        };
        return late;
    };
"""
WOULD_ASK = """() => {
    const leaving = new Event("beforeunload", { cancelable: true });
    window.dispatchEvent(leaving);
    return leaving.defaultPrevented;
}"""
NO_INDEXED_DB = "Object.defineProperty(window, 'indexedDB', { value: undefined })"


# --- What a test asks and does -------------------------------------------------------------------


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


def come_to(person: Person, house: House, *wanted: str) -> None:
    """Look again until the book has them: a page that has just come counts nothing yet."""
    for _ in range(SOON // 250):
        if fates(house, person.game) == list(wanted):
            return
        person.page.wait_for_timeout(250)
    assert fates(house, person.game) == list(wanted)


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


# --- The line is lost, and comes back ------------------------------------------------------------


@pytest.mark.long
def test_an_evening_without_a_house_is_recorded_once_in_order_and_with_its_times(
    people: People, house: House
) -> None:
    mira = at_a_table(people)
    game = mira.game
    round_of(mira)
    waits(mira, 0)
    house.kill()
    try:
        expect(mira.page.get_by_text("no line", exact=True)).to_be_visible(timeout=SOON)
        for _ in range(15):
            round_of(mira)
        waits(mira, 30)
        # Stakes, round and turn go on as foreseen, and say that they are.
        expect(mira.seat("Ada")).to_contain_text("88")
        expect(mira.page.locator(".head-figures")).to_contain_text("17")
        expect(mira.page.locator("#main")).to_have_attribute("data-ahead", "30")
        expect(mira.page.locator("#log .ahead-word").first).to_be_visible()
        expect(mira.page.locator("#say")).to_contain_text("Not recorded yet No line.")
        assert len(thrown(house, game)) == 2
        ended = datetime.now(UTC)
    finally:
        house.start()

    waits(mira, 0)
    expect(mira.page.locator("#main")).not_to_have_attribute("data-ahead", re.compile("."))
    mira.sees_booked()
    throws = thrown(house, game)
    assert len(throws) == 32
    assert len({command for command, _at, _recorded in throws}) == 32
    happened = [at for _command, at, _recorded in throws]
    assert happened == sorted(happened)
    assert all(at <= ended < recorded for _command, at, recorded in throws[2:])
    assert fates(house, game) == ["recorded"] * 32
    assert house.events(game).count("round_lost") == 16


@pytest.mark.long("postgresql")
def test_answers_that_are_lost_make_nothing_count_twice(people: People, house: House) -> None:
    mira = at_a_table(people)
    sent: list[str] = []

    def lose_two_answers(route: Route) -> None:
        sent.append(route.request.post_data or "")
        if len(sent) <= 2:
            route.fetch()  # the house records it
            route.abort()
        else:
            route.continue_()

    mira.page.route(ENTRIES, lose_two_answers)
    round_of(mira)
    round_of(mira)

    waits(mira, 0)
    assert len(sent) >= 3
    assert len(thrown(house, mira.game)) == 4
    assert fates(house, mira.game) == ["recorded"] * 4
    mira.sees("Ada to throw")


@pytest.mark.long
def test_the_next_throw_does_not_wait_for_the_answer_to_the_last(
    people: People, house: House
) -> None:
    mira = at_a_table(people)
    held: list[Route] = []
    mira.page.route(ENTRIES, lambda route: held.append(route))  # noqa: PLW0108 - Playwright's wish

    round_of(mira)  # shown, tapped on, and shown again while the first is on its way
    round_of(mira)
    waits(mira, 4)
    assert len(held) == 1
    held[0].continue_()
    mira.page.unroute(ENTRIES)

    waits(mira, 0)
    assert len(thrown(house, mira.game)) == 4


@pytest.mark.long("postgresql")
def test_a_page_that_is_loaded_anew_shows_and_sends_what_waits(
    people: People, house: House
) -> None:
    mira = at_a_table(people)
    held_up(mira.page)
    throw(mira, *PAIR)
    mira.foresees("Bo to throw")
    waits(mira, 1)

    mira.page.reload()

    waits(mira, 1)
    mira.foresees("Bo to throw")
    expect(mira.page.locator("#main")).to_have_attribute("data-ahead", "1")
    throw(mira, *RUN)
    let_through(mira.page)
    waits(mira, 0)
    mira.sees("Ada to throw")
    assert fates(house, mira.game) == ["recorded", "recorded"]


@pytest.mark.long("postgresql")
def test_the_floor_starts_without_a_line_and_goes_on(people: People, house: House) -> None:
    mira = at_a_table(people, service_workers="allow")
    page, game = mira.page, mira.game
    until(page, KEPT, f"/floor/games/{game}/")
    round_of(mira)
    waits(mira, 0)
    until(page, GIVEN, [game, int(page.locator("#main").get_attribute("data-version") or "")])
    house.kill()
    try:
        page.goto("/floor/")
        expect(page.get_by_role("link", name="Table 1")).to_be_visible()
        page.goto(f"/floor/games/{game}/")
        foresees(page)
        expect(mira.seat("Ada")).to_contain_text("193")  # the page is older than the round
        round_of(mira)
        page.reload()
        waits(mira, 2)
        expect(mira.seat("Ada")).to_contain_text("186")
        throw(mira, *PAIR)
    finally:
        house.start()

    waits(mira, 0)
    assert len(thrown(house, game)) == 5
    assert fates(house, game) == ["recorded"] * 5


@pytest.mark.long
def test_the_way_to_all_tables_is_kept_whichever_page_came_first(people: People) -> None:
    game = people.arrives("mira").opens("Table 1", "Ada", "Bo")
    page = people.arrives("tomas", service_workers="allow").page
    page.goto(f"/floor/games/{game}/")  # by a link, on a device that has not seen the floor
    until(page, KEPT, f"/floor/games/{game}/")

    page.context.set_offline(True)
    page.goto("/floor/")

    expect(page.get_by_role("link", name="Table 1")).to_be_visible()
    assert page.evaluate("[...document.styleSheets].every(({ cssRules }) => cssRules.length > 0)")


@pytest.mark.long
def test_whoever_signs_out_leaves_no_page_behind(people: People, house: House) -> None:
    people.signed_in.pop("tomas", None)  # this session ends
    tomas = people.arrives("tomas", service_workers="allow")
    page = tomas.page
    game = tomas.opens("Table 1", "Ada", "Bo")
    until(page, KEPT, f"/floor/games/{game}/")
    page.locator("#menu-who > summary").click()
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/sign-in/**")
    people.signed_in.pop("tomas", None)

    assert not page.evaluate(KEPT, f"/floor/games/{game}/")
    page.context.set_offline(True)
    page.goto(f"/floor/games/{game}/")
    expect(page.get_by_text("this page is not kept on this device")).to_be_visible()
    assert house.events(game) == ["game_opened"]


@pytest.mark.long
def test_what_one_tab_has_taken_down_another_sends(people: People, house: House) -> None:
    mira = at_a_table(people)
    other = mira.page.context.new_page()
    held_up(mira.page)
    held_up(other)
    other.goto(f"/floor/games/{mira.game}/")
    foresees(other)

    throw(mira, *PAIR)
    expect(other.locator("[data-waiting-count]")).to_have_text("1 waiting")
    expect(other.locator("h1.next")).to_have_text("Bo to throw")
    mira.page.close()
    let_through(other)

    expect(other.locator("[data-waiting-count]")).to_be_hidden(timeout=SOON)
    assert len(thrown(house, re.findall(r"games/([0-9a-f-]+)/", other.url)[0])) == 1


@pytest.mark.long
def test_two_tabs_of_a_table_number_their_entries_as_one(people: People, house: House) -> None:
    mira = at_a_table(people)
    game = mira.game
    other = mira.page.context.new_page()
    other.goto(f"/floor/games/{game}/")
    foresees(other)
    throw(mira, *PAIR)
    expect(other.locator("h1.next")).to_have_text("Bo to throw")
    for face in RUN:
        other.locator(f'.keys:not([hidden]) [data-face="{face}"]').click()
    expect(other.locator("h1.next")).to_have_text("Ada to throw")
    mira.sees("Ada to throw")
    throw(mira, *PAIR)
    waits(mira, 0)

    processes.eventually(lambda: fates(house, game) == ["recorded"] * 3)


@pytest.mark.long
def test_another_table_s_entries_are_counted_and_sent_from_any_page(
    people: People, house: House
) -> None:
    mira = at_a_table(people)
    game = mira.game
    held_up(mira.page)
    throw(mira, *PAIR)
    waits(mira, 1)

    mira.page.goto("/floor/")

    waits(mira, 1)
    mira.page.locator("#menu-waiting > summary").click()
    expect(mira.page.get_by_role("link", name="Table 1: 1 waiting")).to_have_attribute(
        "href", f"/floor/games/{game}/"
    )
    let_through(mira.page)
    waits(mira, 0)
    assert fates(house, game) == ["recorded"]


# --- The house says no ---------------------------------------------------------------------------


def refused(people: People, house: House) -> Person:
    """Two throws entered without a line, of which the house refuses the first: Ada has thrown."""
    mira = at_a_table(people)
    no_line(mira)
    round_of(mira)
    house.put("tomas", mira.game, "throw", player="Ada", dice=[3, 3, 4])
    line_again(mira)
    bar = asks(mira, "refused")
    expect(bar).to_contain_text("Ada 2-2-7 was refused")
    expect(bar).to_contain_text("Bo throws, not Ada. SH2")
    expect(bar).to_contain_text("1 entry after it waits.")
    mira.sees("Bo to throw")  # the house's board; nothing is foreseen past what it refused
    expect(mira.page.locator("#main")).not_to_have_attribute("data-ahead", re.compile("."))
    waits(mira, 2)
    return mira


def drops(mira: Person) -> None:
    mira.page.locator("#asks-drop").click()
    mira.page.get_by_role("button", name="Yes, drop Ada 2-2-7").click()


def hands_over(mira: Person) -> None:
    mira.page.locator("#asks-late").click()
    mira.page.get_by_role("button", name="Yes, hand 2 over").click()


def looks_first(mira: Person) -> None:
    mira.page.get_by_role("button", name="Look first").click()
    expect(mira.page.locator("#asks-drop")).to_be_hidden()
    expect(mira.event("Ada pair")).to_be_visible()
    waits(mira, 2)
    mira.page.get_by_role("button", name="Decide what becomes of it").click()
    drops(mira)


CHOICES = [
    (drops, ["dropped", "recorded"], 2),
    (hands_over, ["late", "late"], 1),
    (looks_first, ["dropped", "recorded"], 2),
]


@pytest.mark.rows(1)
@pytest.mark.long("postgresql")
@pytest.mark.parametrize(("chooses", "became", "on_record"), CHOICES)
def test_a_refusal_stops_the_queue_and_asks(
    people: People,
    house: House,
    chooses: Callable[[Person], None],
    became: list[str],
    on_record: int,
) -> None:
    mira = refused(people, house)

    chooses(mira)

    waits(mira, 0)
    expect(mira.page.locator('#asks [data-ask="refused"]')).to_be_hidden()
    assert fates(house, mira.game) == became
    assert len(thrown(house, mira.game)) == on_record
    if "late" in became:
        notice = asks(mira, "late")
        expect(notice).to_contain_text("2 entries went to the supervisor's list")


@pytest.mark.long
def test_nothing_is_entered_past_a_refusal(people: People, house: House) -> None:
    mira = refused(people, house)

    mira.taps(*RUN)

    expect(mira.page.locator("#asks")).to_be_focused()
    waits(mira, 2)
    assert len(thrown(house, mira.game)) == 1


@pytest.mark.long
def test_what_the_rules_refuse_is_refused_without_a_line_too(people: People, house: House) -> None:
    mira = at_a_table(people)
    no_line(mira)
    throw(mira, *PAIR)
    mira.page.locator('#throw [name="player"]').evaluate("field => { field.value = 'Ada'; }")

    mira.taps(*RUN)

    expect(mira.said).to_contain_text("Not recorded Bo throws, not Ada. SH2")
    waits(mira, 1)
    line_again(mira)
    waits(mira, 0)
    assert fates(house, mira.game) == ["recorded"]


# --- Undo, and acts of a second person -----------------------------------------------------------


@pytest.mark.long
def test_undo_without_a_line_is_an_entry_like_any_other(people: People, house: House) -> None:
    mira = at_a_table(people)
    no_line(mira)
    throw(mira, *PAIR)
    mira.page.get_by_role("button", name="Undo").click()
    mira.foresees("Ada to throw")
    throw(mira, *RUN)
    waits(mira, 3)
    mira.page.locator("#menu-waiting > summary").click()
    expect(mira.page.locator("[data-waiting-list]")).to_contain_text("Ada 2-2-7")
    expect(mira.page.locator("[data-waiting-list]")).to_contain_text("Undo")
    line_again(mira)

    waits(mira, 0)
    mira.sees("Bo to throw")
    assert house.events(mira.game)[1:] == ["dice_thrown", "voided", "dice_thrown"]


@pytest.mark.long
def test_a_second_person_s_act_does_not_wait_on_a_device(people: People, house: House) -> None:
    mira, sela = people.arrives("mira"), people.arrives("sela")
    game = mira.opens("Table 1", "Ada", "Bo", stake=200)
    mira.throws(*PAIR, then="Bo to throw")
    mira.throws(*RUN, then="Ada to throw")
    mira.sees_booked()
    mira.asks_to_void()
    sela.goes_to("Table 1")
    no_line(sela)

    sela.page.get_by_role("button", name="Approve the void").click()

    expect(sela.said).to_contain_text("What a second person signs does not wait on a device")
    waits(sela, 0)
    line_again(sela)
    sela.page.wait_for_timeout(1_500)
    assert "voided" not in house.events(game)
    sela.page.get_by_role("button", name="Approve the void").click()
    sela.sees("Bo to throw")


# --- Who sends -----------------------------------------------------------------------------------


@pytest.mark.long
def test_whoever_was_signed_out_is_told_how_much_waits(people: People, house: House) -> None:
    mira = at_a_table(people)
    held_up(mira.page)
    round_of(mira)
    waits(mira, 2)
    [session] = [each for each in mira.page.context.cookies() if SESSION.search(each["name"])]
    mira.page.context.clear_cookies(name=SESSION)
    let_through(mira.page)

    asked = asks(mira, "signed-out")

    expect(asked).to_contain_text("Signed out: sign in again; 2 entries wait")
    waits(mira, 2)
    mira.page.context.add_cookies([session])  # type: ignore[list-item]  # as the browser has it
    mira.page.reload()
    come_to(mira, house, "recorded", "recorded")
    waits(mira, 0)


@pytest.mark.long
def test_entries_of_somebody_else_wait_until_they_sign_in(people: People, house: House) -> None:
    people.signed_in.pop("mira", None)
    mira = at_a_table(people)
    page, game = mira.page, mira.game
    held_up(page)
    round_of(mira)
    waits(mira, 2)
    page.locator("#menu-who > summary").click()
    page.get_by_role("button", name="Sign out").click()
    expect(asks(mira, "leaving")).to_contain_text("2 entries wait on this device")
    page.get_by_role("button", name="Sign out all the same").click()
    page.wait_for_url("**/sign-in/**")
    people.signed_in.pop("mira", None)
    page.unroute(ENTRIES)

    mira.signs_in("tomas")
    page.goto(f"/floor/games/{game}/")

    bar = asks(mira, "other")
    expect(bar).to_contain_text("These 2 entries are Mira Solano's")
    expect(bar).to_contain_text("Mira Solano signs in to send them")
    assert thrown(house, game) == []
    page.locator("#asks-aside").click()
    page.get_by_role("button", name="Yes, set aside").click()
    foresees(page)
    throw(mira, *RUN)  # Tomas goes on
    waits(mira, 2)
    assert len(thrown(house, game)) == 1
    page.context.clear_cookies(name=SESSION)
    mira.signs_in("mira")
    page.goto(f"/floor/games/{game}/")
    come_to(mira, house, "late", "late", "recorded")
    waits(mira, 0)


# --- Leases and numbers --------------------------------------------------------------------------


@pytest.mark.long
def test_what_was_entered_while_another_device_took_over_goes_to_a_supervisor(
    people: People, house: House
) -> None:
    mira, sela = at_a_table(people), people.arrives("sela")
    no_line(mira)
    round_of(mira)
    waits(mira, 2)
    sela.goes_to("Table 1")
    sela.page.locator("#watching summary").click()
    sela.page.get_by_role("button", name="Record here from now on").click()
    sela.throws(1, 1, 5, then="Bo to throw")
    line_again(mira)

    waits(mira, 0)
    expect(mira.page.locator("#watching")).to_contain_text("took this table over at")
    expect(mira.page.locator("#watching")).to_contain_text(
        "2 of your entries wait for a supervisor"
    )
    assert sorted(fates(house, mira.game)) == ["late", "late", "recorded"]  # and Sela's own
    assert len(thrown(house, mira.game)) == 1


@pytest.mark.long
def test_entries_that_a_wiped_browser_has_lost_are_noticed(people: People, house: House) -> None:
    mira = at_a_table(people)
    game = mira.game
    throw(mira, *PAIR)
    waits(mira, 0)
    held_up(mira.page)
    throw(mira, *RUN)
    waits(mira, 1)
    mira.page.goto("/sign-in/")  # the base is closed by whoever uses it
    mira.page.evaluate(
        """() => new Promise((resolve) => {
            const asked = indexedDB.deleteDatabase("home-throw");
            asked.onsuccess = asked.onblocked = asked.onerror = resolve;
        })"""
    )
    mira.page.unroute(ENTRIES)
    mira.page.goto(f"/floor/games/{game}/")
    foresees(mira.page)
    mira.sees("Bo to throw")

    throw(mira, *RUN)

    waits(mira, 0)
    numbers = house.rows(
        "SELECT seq FROM devices_deviceentry WHERE game = ? ORDER BY seq", key(house, game)
    )
    assert numbers == [(1,), (3,)]
    gaps = house.rows("SELECT first, last FROM devices_gaprow WHERE game = ?", key(house, game))
    assert gaps == [(2, 2)]


@pytest.mark.long
def test_a_browser_that_keeps_nothing_says_so_and_records(people: People, house: House) -> None:
    mira = people.arrives("mira")
    mira.page.add_init_script(NO_INDEXED_DB)
    game = mira.opens("Table 1", "Ada", "Bo", stake=200)
    foresees(mira.page)
    expect(asks(mira, "unkept")).to_contain_text("This browser keeps nothing: do not close it")
    mira.page.get_by_role("button", name="I know").click()
    no_line(mira)
    round_of(mira)
    waits(mira, 2)
    line_again(mira)

    waits(mira, 0)
    assert fates(house, game) == ["recorded", "recorded"]


@pytest.mark.long
def test_a_base_that_opens_late_gets_what_was_taken_down_and_gives_what_waits(
    people: People, house: House
) -> None:
    mira = people.arrives("mira")
    mira.page.add_init_script(LATE_INDEXED_DB)
    game = mira.opens("Table 1", "Ada", "Bo", stake=200)
    foresees(mira.page)
    asks(mira, "unkept")
    held_up(mira.page)
    throw(mira, *PAIR)
    waits(mira, 1)
    mira.page.evaluate("window.baseOpens()")
    expect(mira.page.locator('#asks [data-ask="unkept"]')).to_be_hidden()

    mira.page.reload()
    foresees(mira.page)
    asks(mira, "unkept")
    mira.page.evaluate("window.baseOpens()")

    waits(mira, 1)
    mira.foresees("Bo to throw")
    throw(mira, *RUN)
    let_through(mira.page)
    waits(mira, 0)
    assert fates(house, game) == ["recorded", "recorded"]


@pytest.mark.long
def test_after_a_restored_backup_a_device_sends_again_and_all_counts_once(
    people: People, house: House
) -> None:
    mira = at_a_table(people)
    game = mira.game
    round_of(mira)
    waits(mira, 0)
    mira.page.evaluate(
        "house => window.floor.store.count(`epoch/${house}`, '0')",  # as of before the restore
        mira.page.locator("#board").get_attribute("data-house"),
    )
    with mira.page.expect_request(ENTRIES) as again:
        mira.page.reload()

    notice = asks(mira, "again")
    expect(notice).to_contain_text("2 entries of this device are sent again; each counts once.")
    assert (again.value.post_data or "").count("command_id") == 2
    waits(mira, 0)
    assert len(thrown(house, game)) == 2
    assert fates(house, game) == ["recorded", "recorded"]


@pytest.mark.long("postgresql")
def test_a_device_without_room_says_so_loses_nothing_and_plays_on(
    people: People, house: House
) -> None:
    mira = at_a_table(people)
    waits(mira, 0)
    without_room(mira.page)
    throw(mira, *PAIR)  # kept nowhere but here, and recorded by the house at once

    notice = asks(mira, "full")
    expect(notice).to_contain_text("This device has no room left: do not close this window")
    waits(mira, 0)
    assert len(thrown(house, mira.game)) == 1
    mira.page.get_by_role("button", name="I know").click()
    expect(notice).to_be_hidden()

    no_line(mira)
    throw(mira, *RUN)
    waits(mira, 1)  # and not shown as recorded
    expect(mira.page.locator("#say")).to_contain_text("Not recorded yet")
    assert mira.page.evaluate(WOULD_ASK)
    line_again(mira)

    waits(mira, 0)
    assert len(thrown(house, mira.game)) == 2
    assert fates(house, mira.game) == ["recorded", "recorded"]


def without_room(page: Page) -> None:
    """
    As a browser has it where the disk is full: what is there stays, nothing more is taken.

    Chromium's own switch for it (Storage.overrideQuotaForOrigin) does nothing to its databases.
    """
    page.evaluate(
        """() => { IDBObjectStore.prototype.put = IDBObjectStore.prototype.add = () => {
            throw new DOMException("The disk is full.", "QuotaExceededError");
        }; }"""
    )
