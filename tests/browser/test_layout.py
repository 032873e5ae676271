"""The table at every size and with many seats: all in reach, one accent, one next action."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.people import foresees
from tests.browser.test_looks import OVERFLOWS, SIZES, SMALL, TAP, unreadable
from tests.browser.test_taps import GAMES, opens

if TYPE_CHECKING:
    from playwright.sync_api import ViewportSize

    from tests.browser.conftest import People
    from tests.browser.people import Person

pytestmark = [pytest.mark.browser, pytest.mark.once]
NARROWEST: ViewportSize = {"width": 360, "height": 740}
EVERY = [*SIZES, NARROWEST]
SMALL_TABLET: ViewportSize = {"width": 1024, "height": 768}  # its column of play is a narrow one
TURNED: list[ViewportSize] = [{"width": 834, "height": 1112}, {"width": 1112, "height": 834}]
TWELVE = (
    "Bartholomew Featherstonehaugh", "Anastasia", "Wilhelmina van der Berg", "Bo", "Maximiliano",
    "Cy", "Theodora", "Ev", "Konstantinos", "Ida", "Ferdinand", "Li",
)  # fmt: skip
LOWEST = "Dice Breaker"  # where the question has the least room
# A question and its button, as taps.js and queue.js ask them; what a throw pays is a sentence.
QUESTIONS = [
    ("Alcuni tocchi non sono stati presi. \u00c8 questo il tiro?", "Registra 2-5-8-9-11"),
    ("Ada loses round 12 and pays 1,234.00 \u20ac into the pool.", "Enter"),
]

# What may be pressed in play and does not lie wholly in the window; a strip of seats may scroll.
OUT_OF_REACH = """() => [...document.querySelectorAll(".play :is(button, summary, label)")]
  .filter(thing => thing.checkVisibility() && !thing.closest(".menu-body"))
  .map(thing => [thing, thing.getBoundingClientRect()])
  .filter(([, box]) => box.width && (box.bottom > innerHeight + 1 || box.right > innerWidth + 1
    || box.left < -1 || box.top < 0))
  .map(([thing, box]) => `${thing.id || thing.className} ${box.left},${box.top}`)"""
# Parts of play that lie upon each other.
OVERLAPS = """() => {
  const boxes = [...document.querySelectorAll(".play > *")].filter(part => part.checkVisibility())
    .map(part => [part.className, part.getBoundingClientRect()]).filter(([, box]) => box.height);
  return boxes.slice(1).filter(([, box], at) => box.top < boxes[at][1].bottom - 1)
    .map(([name]) => name);
}"""
# What is said and lies upon another part of play, wherever it stands.
SAID_UPON = """() => {
  const said = document.querySelector("#say").getBoundingClientRect();
  return [...document.querySelectorAll(".play > :not(:has(#say)), #say ~ *, .hero > svg, h1.next")]
    .filter(part => part.checkVisibility()).map(part => [part, part.getBoundingClientRect()])
    .filter(([, box]) => said.left < box.right - 1 && box.left < said.right - 1
      && said.top < box.bottom - 1 && box.top < said.bottom - 1)
    .map(([part]) => `what is said lies upon ${part.className || part.tagName}`);
}"""
# Drawings that are seen beyond their key.
BEYOND_KEYS = """() => [...document.querySelectorAll(".play .key svg")]
  .filter(drawn => drawn.checkVisibility()
    && getComputedStyle(drawn.parentElement).overflow === "visible")
  .map(drawn => [drawn.parentElement,
    drawn.getBoundingClientRect(), drawn.parentElement.getBoundingClientRect()])
  .filter(([, drawn, key]) => drawn.top < key.top - 1 || drawn.bottom > key.bottom + 1)
  .map(([key]) => `${key.id} is smaller than its die`)"""
# Words of the head and of the tools beside it that lie upon each other.
HEADS_OVERLAP = """() => {
  const shown = [...document.querySelectorAll(".head *, .tools *")]
    .filter(part => part.checkVisibility() && !part.closest(".menu-body")
      && [...part.childNodes].some(each => each.nodeType === 3 && each.data.trim()))
    .map(part => {
      const words = document.createRange();
      words.selectNodeContents(part);
      const [box, all] = [words, part.closest("dl, header, .tools")]
        .map(each => each.getBoundingClientRect());
      return [part.textContent.trim(), box, box.top >= all.top - 1 && box.bottom <= all.bottom + 1];
    }).filter(([, , inside]) => inside);
  return shown.flatMap(([one, a], at) => shown.slice(at + 1)
    .filter(([, b]) => a.left < b.right - 1 && b.left < a.right - 1
      && a.top < b.bottom - 2 && b.top < a.bottom - 2)
    .map(([other]) => `${one} lies upon ${other}`));
}"""
# What stands there in Italian is longer, but for the log's button.
ITALIAN = {'.sign[data-line="offline"]': "senza linea", "[data-waiting-count]": "13 in attesa",
           ".log-button": "Registro"}  # fmt: skip
LONGER = """texts => Object.entries(texts).forEach(([which, words]) =>
  document.querySelectorAll(`.tools ${which}`).forEach(part => { part.textContent = words; }))"""
FILLED_IN_ACCENT = """() => {
  const probe = document.body.appendChild(document.createElement("i"));
  probe.style.color = "var(--accent)";
  const accent = getComputedStyle(probe).color;
  probe.remove();
  return [...document.querySelectorAll("body *")].filter(part => part.checkVisibility()
    && !part.matches(".skip") && getComputedStyle(part).backgroundColor === accent
    && part.getBoundingClientRect().height >= 40).map(part => part.id || part.className);
}"""

LARGEST_WORDS = """() => Math.max(...[...document.querySelectorAll(".head *, .play *")]
  .filter(part => part.checkVisibility() && !part.closest("svg"))
  .map(part => parseFloat(getComputedStyle(part).fontSize)))"""


def seen_at_every_size(person: Person, sizes: list[ViewportSize] = EVERY) -> list[str]:
    page, found = person.page, []
    for size in sizes:
        page.set_viewport_size(size)
        wrong: list[Any] = [
            *page.evaluate(OUT_OF_REACH),
            *page.evaluate(OVERLAPS),
            *page.evaluate(SMALL, TAP),
            *page.evaluate(BEYOND_KEYS),
        ]
        if page.evaluate("() => document.scrollingElement.scrollWidth > innerWidth"):
            wrong.append("scrolls sideways")
        found += [f"{size['width']}: {what}" for what in wrong]
    page.set_viewport_size(SIZES[0])
    return found


@pytest.mark.rows(1)
@pytest.mark.parametrize("seats", [2, 6, 12])
def test_every_key_is_in_reach_at_every_size(people: People, seats: int) -> None:
    mira = people.arrives("mira")
    mira.opens("Table 1", *TWELVE[:seats], stake=98_765)
    found = seen_at_every_size(mira)
    mira.throws(2, 2, 7, then="Anastasia to throw")
    mira.taps(1, 2)
    found += seen_at_every_size(mira)

    assert not found
    assert not mira.wrong


@pytest.mark.parametrize(
    "game",
    [pytest.param(each, marks=pytest.mark.long) for each in GAMES if each != LOWEST] + [LOWEST],
)
def test_a_question_beside_the_dice_leaves_all_in_reach(people: People, game: str) -> None:
    mira = people.arrives("mira")
    opens(mira, game)
    sizes = [*EVERY, SMALL_TABLET]
    before = set(seen_at_every_size(mira, sizes))
    assert not [each for each in before if "its die" in each]

    for words, answer in QUESTIONS:
        mira.page.evaluate("words => window.taps.ask(...words, () => {})", [words, answer])
        expect(mira.page.locator("#say [data-enter]")).to_have_text(answer)
        assert set(seen_at_every_size(mira, sizes)) <= before
    assert not mira.wrong


def test_an_auction_without_a_line_has_all_in_reach_and_no_words_upon_others(
    people: People,
) -> None:
    mira = people.arrives("mira")
    page = mira.page
    opens(mira, "River")
    foresees(page)
    page.route("**/floor/**", lambda route: route.abort())
    mira.taps(2, 5, 8, 9, 3)
    expect(page.locator("[data-waiting-count]")).to_contain_text("1")
    expect(page.locator("#say")).to_contain_text("No line")

    sizes = [*EVERY, SMALL_TABLET, *TURNED]
    found: list[Any] = seen_at_every_size(mira, sizes)
    for size in sizes:
        page.set_viewport_size(size)
        found += [(size["width"], each) for each in page.evaluate(SAID_UPON)]
    page.set_viewport_size(SIZES[0])
    mira.presses(page.locator("#bid-1"))
    mira.foresees("Ada bids 1 r")
    found += seen_at_every_size(mira, sizes)
    for texts in ({}, ITALIAN):
        page.evaluate(LONGER, texts)
        for size in EVERY:
            page.set_viewport_size(size)
            found += [(size["width"], each) for each in page.evaluate(HEADS_OVERLAP)]

    assert found == []


@pytest.mark.long
def test_every_key_of_dice_breaker_is_in_reach_at_every_size(people: People) -> None:
    mira = people.arrives("mira")
    opens(mira, "Dice Breaker")

    assert seen_at_every_size(mira, [*EVERY, SMALL_TABLET]) == []


@pytest.mark.long
def test_twelve_seats_stand_on_a_tablet_without_scrolling(people: People) -> None:
    mira = people.arrives("mira")
    mira.opens("Table 1", *TWELVE, stake=98_765)

    assert mira.page.evaluate(OVERFLOWS) == []


@pytest.mark.long
def test_at_most_one_thing_is_filled_with_the_accent(people: People) -> None:
    mira = people.arrives("mira")
    mira.opens("Table 1", "Ada", "Bo")
    for size in EVERY:
        mira.page.set_viewport_size(size)
        assert len(mira.page.evaluate(FILLED_IN_ACCENT)) <= 1
    largest = mira.page.evaluate(LARGEST_WORDS)
    size_of_next = mira.next_action.evaluate("part => parseFloat(getComputedStyle(part).fontSize)")

    assert size_of_next == largest


@pytest.mark.long
def test_words_twice_as_large_are_still_all_there(people: People) -> None:
    # WCAG 1.4.4
    mira = people.arrives("mira", viewport={"width": 800, "height": 1280})
    mira.opens("Table 1", "Ada", "Bo", "Cyd")
    mira.page.evaluate("() => { document.documentElement.style.fontSize = '200%'; }")

    assert not mira.page.evaluate("() => document.scrollingElement.scrollWidth > innerWidth")
    assert not mira.page.evaluate(OVERLAPS)
    for name in ("Undo", "No throw", "More"):
        thing = mira.page.locator(".actions").get_by_text(name, exact=False).first
        if thing.count():
            thing.scroll_into_view_if_needed()
            expect(thing).to_be_in_viewport()
    mira.throws(2, 2, 7, then="Bo to throw")


@pytest.mark.long
def test_forced_colours_and_less_motion_leave_a_table_to_play_at(people: People) -> None:
    mira = people.arrives("mira", forced_colors="active", reduced_motion="reduce")
    mira.opens("Table 1", "Ada", "Bo")
    outline = "part => getComputedStyle(part).outlineStyle"

    assert mira.page.locator(".seat-turn").first.evaluate(outline) == "solid"
    assert not unreadable(mira.page)
    mira.throws(2, 2, 7, then="Bo to throw")
    expect(mira.page.locator("#announce")).to_have_text("Bo to throw")


@pytest.mark.long
def test_keys_are_named_and_told_apart_by_more_than_colour(people: People) -> None:
    mira = people.arrives("mira")
    mira.opens("Table 1", "Ada", "Bo")
    keys = mira.page.get_by_role("group", name="Faces of a d8")

    for face in range(1, 9):
        expect(keys.get_by_role("button", name=str(face), exact=True)).to_be_visible()


@pytest.mark.long
def test_who_joins_is_picked_and_a_seat_tapped_is_asked_about(people: People) -> None:
    mira = people.arrives("mira")
    mira.opens("Table 2", "Ottilie", "Bo")
    mira.house.put("sela", mira.game, "close")
    mira.goes_to("Table 1")
    mira.page.get_by_role("button", name="Cinnabar Gate").click()
    expect(mira.page.locator("h1")).to_contain_text("Cinnabar Gate")
    mira.seats("Ada", "Bo", "Cyd")
    mira.page.get_by_role("button", name="Open the game").click()
    mira.sees("Ada to throw")
    mira.chooses("Somebody joins")
    name = mira.page.get_by_label("Name", exact=True)
    name.press_sequentially("ot")
    mira.page.get_by_role("option", name="Ottilie").click()
    expect(name).to_have_value("Ottilie")
    found = unreadable(mira.page)
    mira.page.get_by_role("button", name="Yes, seat them").click()
    expect(mira.seat("Ottilie")).to_be_visible()

    mira.seat("Cyd").click()
    expect(mira.page.get_by_text("Cyd leaves …")).to_be_visible()
    expect(mira.page.get_by_text("Ada leaves …")).to_be_hidden()
    mira.page.get_by_text("Cyd leaves …").click()
    mira.page.get_by_role("button", name="Yes, Cyd leaves").click()

    expect(mira.seat("Cyd")).to_contain_text("left")
    assert not found
    assert not mira.wrong


# What stands at a seat, as its template writes it: which parts lie on another, which are nameless,
# and by how much the seat grows.
AT_A_SEAT = """([booked, held, pocket]) => {
  const seat = document.querySelector(".seat");
  const before = seat.getBoundingClientRect().height;
  seat.querySelectorAll(".seat-pocket, .seat-booking").forEach(each => each.remove());
  const parts = [[pocket, "seat-pocket", "4 r in the pocket, not played"],
    [booked, "seat-booking seat-booked sign sign-wait", "booked 8 r"],
    [held, "seat-booking sign sign-wait", "held 14 r"]];
  parts.filter(([there]) => there).forEach(([, className, textContent]) =>
    seat.append(Object.assign(document.createElement("span"), { className, textContent })));
  const boxes = [...seat.children].map(part => [part, part.getBoundingClientRect()]);
  const on = ([, one], [, other]) => one.left < other.right - 1 && other.left < one.right - 1
    && one.top < other.bottom - 1 && other.top < one.bottom - 1;
  const words = ([part]) => part.textContent.trim();
  const drawn = boxes.filter(([part]) => !part.matches(".seat-stake, .seat-name, .seat-hand"));
  const stake = boxes.find(([part]) => part.matches(".seat-stake"));
  const range = document.createRange();
  range.selectNodeContents(stake[0]);
  stake[1] = range.getBoundingClientRect();
  return {
    lie: drawn.filter(one => boxes.some(other => one !== other && on(one, other))).map(words),
    nameless: drawn.filter(([part]) => part.textContent.startsWith("held")
      && getComputedStyle(part).fontSize === "0px").map(words),
    grows: seat.getBoundingClientRect().height - before,
  };
}"""


@pytest.mark.long
@pytest.mark.parametrize("names", [TWELVE[:2], TWELVE[:4], TWELVE[:6]], ids=len)
def test_what_is_booked_and_what_is_held_stand_side_by_side(
    people: People, names: tuple[str, ...]
) -> None:
    mira = people.arrives("mira", viewport={"width": 834, "height": 1112})
    mira.opens("Table 1", *names)
    for width in (834, 1280):
        mira.page.set_viewport_size({"width": width, "height": 1112})
        booked = mira.page.evaluate(AT_A_SEAT, [True, False, False])
        assert booked["grows"] <= 1
        for parts in ([False, True, False], [True, True, False], [True, True, True]):
            found = mira.page.evaluate(AT_A_SEAT, parts)
            assert not found["lie"], (width, parts)
            assert not found["nameless"], (width, parts)
