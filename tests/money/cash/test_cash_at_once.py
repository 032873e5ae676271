"""Two people at the same instant: one slip, one count, and no coin between them (B1, B2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from casino.house.acts import acts, custody
from casino.house.attendants.models import Role
from casino.house.attendants.pseudonyms import tokens
from casino.kit.approvals import operations as approvals
from casino.money.cash import moving
from games.refusals import Refused
from ledger import journal
from tests.support import builders, cashing
from tests.support.at_once import at_once, on_a_file
from tests.support.playing import ask, ask_open, done, opened, opening, settled

if TYPE_CHECKING:
    import uuid
    from collections.abc import Callable
    from pathlib import Path

    from casino.house.attendants.models import Attendant
    from tests.support.builders import House

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def house() -> House:
    made = cashing.house()
    cashing.opened(made)
    return made


def tried(do: Callable[[], object]) -> str:
    """What came of it: done, or the code of the refusal."""
    try:
        do()
    except (Refused, journal.Conflict) as refused:
        return refused.code
    return "done"


def test_b2_two_approvals_of_one_slip_at_once_issue_it_once(house: House, tmp_path: Path) -> None:
    request = cashing.asked(house, "fill", {"25": 1})
    approvers = [house.supervisor, house.manager]

    with on_a_file(tmp_path):
        came = at_once(
            2, lambda number: tried(lambda: cashing.approved(house, request, by=approvers[number]))
        )

        assert sorted(came) == ["already_decided", "done"]
        assert cashing.float_held(house) == 75
        assert [slip.number for slip in cashing.slip_rows(house)] == [1]


def test_b2_slips_approved_at_once_have_numbers_of_their_own(house: House, tmp_path: Path) -> None:
    requests = [cashing.asked(house, "fill", {"1": 1}) for _ in range(4)]
    approvers = [builders.employed(house.establishment, Role.SUPERVISOR) for _ in requests]

    with on_a_file(tmp_path):
        came = at_once(
            4,
            lambda number: tried(
                lambda: cashing.approved(house, requests[number], by=approvers[number])
            ),
        )

        issued = came.count("done")
        assert issued >= 1
        numbers = [slip.number for slip in cashing.slip_rows(house)]
        assert numbers == list(range(1, issued + 1))
        assert cashing.float_held(house) == 50 + issued
        assert set(came) <= {"done", "stream_moved", "balance_moved"}


def test_b1_two_first_counts_at_once_are_one_first_and_one_second(
    house: House, tmp_path: Path
) -> None:
    people = [house.attendant, house.supervisor]

    with on_a_file(tmp_path):
        came = at_once(
            2, lambda number: tried(lambda: cashing.counted(house, people[number], {"25": 1}))
        )

        assert came == ["done", "done"]
        assert cashing.over_short(house) == -25


# --- Forced interleavings: the other one comes between the reading and the append -----------------


class Between:
    """Lets something happen at the moment when an act has been decided and not yet appended."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, happens: Callable[[], object]) -> None:
        self.happened = False
        for name in ("append", "record"):
            original = getattr(journal, name)
            monkeypatch.setattr(journal, name, self._first(happens, original))

    def _first(self, happens: Callable[[], object], original: Callable[..., Any]) -> Any:
        def put(**told: Any) -> Any:
            if not self.happened:
                self.happened = True
                happens()
            return original(**told)

        return put


def approves(at: House, request: uuid.UUID, by: Attendant) -> Callable[[], object]:
    act = cashing.act(at, by)
    return lambda: approvals.decide(act, request, approve=True)


def test_b1_a_count_that_begins_while_a_fill_is_approved_holds_it_up(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = cashing.asked(house, "fill", {"25": 1})
    Between(monkeypatch, lambda: cashing.counted(house, house.attendant, cashing.FIFTY))

    assert tried(approves(house, request, house.manager)) == "no_float"

    assert cashing.float_held(house) == 50
    cashing.counted(house, house.supervisor, cashing.FIFTY)
    assert cashing.over_short(house) == 0


def test_b1_a_fill_that_is_approved_while_a_count_begins_is_signed_for_first(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = cashing.asked(house, "fill", {"25": 1})
    Between(monkeypatch, approves(house, request, house.manager))

    counting_now = tried(lambda: cashing.counted(house, house.attendant, cashing.FIFTY))

    assert counting_now == "slip_on_the_way"
    assert cashing.float_held(house) == 75


def test_b1_money_that_comes_between_reading_and_booking_is_in_what_is_expected(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A void's hand-back is booked by settlement, whatever is counted: the difference knows it."""
    cashing.counted(house, house.attendant, {"25": 1})

    def booked() -> None:
        place = custody_float(house)
        moved = moving.move(cashing.BANK, place, 7, "test", 0)
        happened = journal.NewEvent(stream="odd", event_type="odd", schema_version=1, data={})
        entry = acts.Done(guards={"odd": 0}, events=[happened], transfers=moved)
        acts.perform(cashing.act(house, house.manager), lambda: entry)

    Between(monkeypatch, booked)
    cashing.counted(house, house.supervisor, {"25": 1})

    assert (cashing.float_held(house), cashing.over_short(house)) == (25, -32)
    assert last(house)["expected"] == 57


def custody_float(at: House) -> journal.AccountRef:
    return journal.AccountRef(journal.Kind.FLOAT, str(at.table.pk))


def last(at: House) -> Any:
    found = journal.last(establishment=at.id, stream=custody.stream_of(at.table.pk))
    assert found is not None
    return found.data


def test_b1_a_close_that_comes_at_the_moment_of_an_opening_is_not_overlooked(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokens.player_tokens(house.id, ["Ada", "Bo"], new=True)  # new ones are saved with the opening
    Between(monkeypatch, lambda: cashing.both_count(house, cashing.FIFTY, "close"))

    answer = ask_open(house, opening())

    assert answer.refusal is not None
    assert answer.refusal.code == "no_float"
    assert cashing.float_held(house) == 0


def test_b1_a_game_that_opens_at_the_moment_of_a_close_stops_it(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    Between(monkeypatch, lambda: opened(house))

    came = tried(lambda: cashing.counted(house, house.attendant, cashing.FIFTY, "close"))

    assert came == "money_in_play"


def test_b2_two_cash_outs_at_one_moment_do_not_take_more_than_the_float_holds(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two games that were played at one table, one after the other, each with 20 to be paid."""
    games = []
    for _ in range(2):
        games.append(opened(house))
        done(house, games[-1], "close")
    settled(house)
    cashing.slipped(house, "credit", {"25": 4})  # 30 are left
    out: dict[str, Any] = {"player": "Ada", "amount": 20}
    Between(monkeypatch, lambda: done(house, games[0], "cash_out", **out))

    answer = ask(house, games[1], "cash_out", **out)

    assert answer.refusal is not None
    assert answer.refusal.code == "float_too_small"
    assert cashing.float_held(house) == 10
