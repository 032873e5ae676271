"""Which test is of which form: what the marks leave out, and that nothing is left out whole."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from games.stone_hand import STONE_HAND
from tests import forms

ROWS = 10
STANDS_FOR = {
    "tests/browser/test_a_day.py": "tests/reports/gaming_days/test_whole_days.py",
    "tests/browser/test_an_evening.py": "tests/browser/test_guests.py",
    "tests/browser/test_api_docs.py": "tests/kit/web/test_api_schema.py",
    "tests/browser/test_approvals.py": "tests/kit/approvals/test_approvals_pages.py",
    "tests/browser/test_table_events.py": "tests/proof/disputes/test_disputes_office.py",
    "tests/browser/test_calendar.py": "tests/kit/web/test_periods.py",
    "tests/browser/test_cash.py": "tests/money/cash/test_cash_pages.py",
    "tests/browser/test_cinnabar_gate.py": "tests/browser/test_other_browsers.py",
    "tests/browser/test_dice_breaker.py": "tests/browser/test_other_browsers.py",
    "tests/browser/test_games.py": "tests/browser/test_supervisor.py",
    "tests/browser/test_kept_games.py": "tests/browser/test_offline.py",
    "tests/browser/test_leases.py": "tests/play/devices/test_devices_leases.py",
    "tests/browser/test_looks.py": "tests/browser/test_office_looks.py",
    "tests/browser/test_manager_answers.py": "tests/kit/web/test_office_pages.py",
    "tests/browser/test_odds_page.py": "tests/play/odds/test_odds_surfaces.py",
    "tests/browser/test_offline_devices.py": "tests/browser/test_offline.py",
    "tests/browser/test_own_pin.py": "tests/settings/sign_in/test_people_pins.py",
    "tests/browser/test_palette.py": "tests/office/palette/test_palette.py",
    "tests/browser/test_payouts.py": "tests/money/payouts/test_payout_pages.py",
    "tests/browser/test_people.py": "tests/settings/sign_in/test_people_passkeys.py",
    "tests/browser/test_picker.py": "tests/play/core/test_players_exclusions.py",
    "tests/browser/test_polls.py": "tests/kit/web/test_etags.py",
    "tests/browser/test_pots.py": "tests/money/pots/test_pots.py",
    "tests/browser/test_proofs.py": "tests/money/payouts/test_receipts.py",
    "tests/browser/test_refusals.py": "tests/browser/test_mistakes.py",
    "tests/browser/test_river.py": "tests/browser/test_other_browsers.py",
    "tests/browser/test_rounds.py": "tests/floor/tables/test_floor_rounds.py",
    "tests/browser/test_seats.py": "tests/floor/tables/test_floor_seats.py",
    "tests/browser/test_settings.py": "tests/settings/configuration/test_configuration_pages.py",
    "tests/browser/test_sixth_game.py": "tests/words/presenters/test_sixth_game.py",
    "tests/browser/test_storage.py": "tests/engine/test_storage_full.py",
    "tests/browser/test_tablets.py": "tests/browser/test_layout.py",
    "tests/browser/test_tasks.py": "tests/browser/test_other_browsers.py",
    "tests/browser/test_threes_away.py": "tests/browser/test_other_browsers.py",
    "tests/browser/test_today.py": "tests/browser/test_wall.py",
    "tests/browser/test_two_hands.py": "tests/play/devices/test_devices_leases.py",
    "tests/browser/test_whatif.py": "tests/reports/what_if/test_what_if_form.py",
    "tests/clients/test_generated.py": "tests/clients/test_description.py",
    "tests/config/test_secrets_processes.py": "tests/config/test_secrets.py",
    "tests/faults/test_full_disk.py": "tests/engine/test_storage_full.py",
    "tests/reports/gaming_days/test_day_workers.py": (
        "tests/reports/gaming_days/test_day_closing.py"
    ),
    "tests/office/health/test_two_beats.py": "tests/office/health/test_beat_lease.py",
    "tests/scale/high_availability/test_lost.py": "tests/proof/integrity/test_restored.py",
    "tests/scale/high_availability/test_pooler.py": "tests/engine/test_sessions.py",
    "tests/scale/high_availability/test_rolling.py": "tests/config/test_draining.py",
    "tests/scale/high_availability/test_sentinel.py": "tests/config/test_broker_address.py",
    "tests/scale/high_availability/test_switch.py": "tests/engine/test_sessions.py",
    "tests/proof/integrity/test_backup_drill.py": "tests/proof/integrity/test_restored.py",
    "tests/proof/integrity/test_export_processes.py": "tests/proof/integrity/test_export.py",
    "tests/scale/kubernetes/test_started.py": "tests/scale/kubernetes/test_manifests.py",
    "tests/scale/kubernetes/test_validated.py": "tests/scale/kubernetes/test_manifests.py",
    "tests/scale/partitions/test_plans.py": "tests/scale/partitions/test_pieces.py",
    "tests/proof/regrade/test_regrade_processes.py": "tests/proof/regrade/test_regrade_runs.py",
    "tests/scale/replicas/test_standby.py": "tests/scale/replicas/test_reading.py",
}
"""Which file has the short form of what another has in the long form alone."""


@pytest.mark.rows(3)
@pytest.mark.parametrize("row", range(ROWS))
def test_of_many_rows_first_last_and_some_between_are_in_the_short_form(row: int) -> None:
    assert forms.LONG_FORM or row in {0, 4, 9}


@pytest.mark.long
def test_what_is_long_is_in_the_long_form_alone() -> None:
    assert forms.LONG_FORM


@pytest.mark.long("sqlite")
@pytest.mark.django_db
def test_what_is_long_on_one_database_is_in_the_short_form_on_the_other() -> None:
    assert forms.LONG_FORM or forms.ENGINE == "postgresql"


@pytest.mark.long("postgresql", but="citus")
@pytest.mark.parametrize(
    ("engine", "servers", "long"),
    [
        ("sqlite", "sqlite", False),
        ("postgresql", "postgresql", True),
        ("postgresql", "citus", False),
    ],
)
def test_what_several_servers_may_refuse_is_in_their_short_form(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, engine: str, servers: str, *,
    long: bool,
) -> None:  # fmt: skip
    monkeypatch.setattr(forms, "ENGINE", engine)
    monkeypatch.setattr(forms, "SERVERS", servers)

    assert forms.is_long(request.node) is long


@pytest.mark.parametrize(
    ("mark", "servers", "kept"),
    [
        (pytest.mark.rows(4, postgresql=2), "sqlite", [0, 3, 6, 9]),
        (pytest.mark.rows(4, postgresql=2), "postgresql", [0, 9]),
        (pytest.mark.rows(postgresql=1), "sqlite", [*range(ROWS)]),
        (pytest.mark.rows(postgresql=1), "postgresql", [0]),
        (pytest.mark.rows(postgresql=1), "citus", [*range(ROWS)]),
    ],
)
def test_on_one_server_of_postgresql_there_may_be_fewer_rows(
    monkeypatch: pytest.MonkeyPatch, mark: pytest.MarkDecorator, servers: str, kept: list[int]
) -> None:
    monkeypatch.setattr(forms, "SERVERS", servers)
    rows: list[Any] = [
        SimpleNamespace(nodeid=str(row), get_closest_marker=lambda _name: mark.mark)
        for row in range(ROWS)
    ]

    assert {str(row) for row in range(ROWS)} - forms.unspread(rows) == {str(row) for row in kept}


# fmt: off
WAYS = [
    # mark                                   kept
    (pytest.mark.rows(1),                    {0, 2, 4}),        # the first row of each game
    (pytest.mark.rows(1, each="option"),     {0, 1, 2, 3, 4}),  # and of each option of it
    (pytest.mark.rows(2, sqlite=1),          {0}),              # so many as were asked for here
]
# fmt: on


@pytest.mark.parametrize(("mark", "kept"), WAYS)
def test_no_game_and_no_way_that_is_named_is_left_out_whole(
    monkeypatch: pytest.MonkeyPatch, mark: pytest.MarkDecorator, kept: set[int]
) -> None:
    monkeypatch.setattr(forms, "SERVERS", "sqlite")
    given: list[dict[str, object]] = [
        {"game": "river", "option": "tie"},
        {"game": "river", "option": "unit"},
        {"game": STONE_HAND, "option": "tie"},
        {"game": STONE_HAND, "option": "unit"},
        {"game": Path("threes-away/ties.jsonl"), "option": "tie"},
        {"game": Path("threes-away/zero.jsonl"), "option": "tie"},
    ]
    rows: list[Any] = [
        SimpleNamespace(
            nodeid=str(row),
            get_closest_marker=lambda _name: mark.mark,
            callspec=SimpleNamespace(params=params),
        )
        for row, params in enumerate(given)
    ]

    assert {str(row) for row in range(len(given))} - forms.unspread(rows) == set(map(str, kept))


def test_every_game_of_a_test_is_in_the_short_form(request: pytest.FixtureRequest) -> None:
    """Whichever mark leaves rows out: a test over all games has a row of each there."""
    games: dict[str, set[str]] = defaultdict(set)
    short: dict[str, set[str]] = defaultdict(set)
    collected = request.config.stash[forms.COLLECTED]
    out = forms.only_long(collected)
    for item in collected:
        test = forms.function_of(item.nodeid)
        games[test].update(forms.way_of(item))
        if item.nodeid not in out:
            short[test].update(forms.way_of(item))

    assert {test: games[test] - some for test, some in short.items() if games[test] - some} == {}


def test_files_whose_tests_take_seconds_come_first_and_each_file_stays_in_one_piece() -> None:
    def item(path: str, mark: pytest.MarkDecorator) -> Any:
        marks = {mark.name: mark.mark}
        return SimpleNamespace(path=path, get_closest_marker=marks.get)

    usual, commits = pytest.mark.django_db, pytest.mark.django_db(transaction=True)
    items = [
        item("a.py", usual), item("b.py", usual), item("b.py", commits), item("c.py", usual),
        item("d.py", pytest.mark.processes), item("e.py", pytest.mark.browser),
    ]  # fmt: skip

    forms.dear_ones_first(items)

    assert [each.path for each in items] == ["b.py", "b.py", "d.py", "e.py", "a.py", "c.py"]


@pytest.mark.once
@pytest.mark.django_db
def test_what_no_database_can_change_runs_on_sqlite() -> None:
    assert forms.ENGINE == "sqlite"


def test_what_meets_no_database_runs_on_sqlite() -> None:
    assert forms.ENGINE == "sqlite"


# fmt: off
NAMED = [
    # asked for              test                    is named
    ("tests/a.py",           "tests/a.py::test_b",    False),  # its long ones are left out
    ("tests/a.py::test_b",   "tests/a.py::test_b",    True),
    ("tests/a.py::test_b",   "tests/a.py::test_b[1]", True),
    ("tests/a.py::test_b",   "tests/a.py::test_bc",   False),
    ("tests/a.py::TestB",    "tests/a.py::TestB::test_c", True),
]
# fmt: on


@pytest.mark.parametrize(("asked", "test", "named"), NAMED)
def test_who_names_a_test_gets_it(asked: str, test: str, named: bool) -> None:  # noqa: FBT001
    assert forms.is_named(test, [asked]) is named


@pytest.mark.parametrize(("many", "few"), [(1, 1), (5, 9), (7, 1), (1000, 37)])
def test_as_many_rows_are_kept_as_were_asked_for(many: int, few: int) -> None:
    kept = forms.spread(many, few)

    assert len(kept) == min(many, few)
    assert kept <= set(range(many))


def test_every_file_has_something_in_the_short_form(request: pytest.FixtureRequest) -> None:
    """On one database at least, there or in the file that stands for it."""
    files: dict[str, bool] = defaultdict(bool)
    for item in request.config.stash[forms.COLLECTED]:
        long_here = [mark.args for mark in item.iter_markers("long")]
        files[item.nodeid.partition("::")[0]] |= () not in long_here

    without = {file for file, has_some in files.items() if not has_some}
    assert without <= STANDS_FOR.keys()
    assert all(files.get(STANDS_FOR[file], True) for file in without)
