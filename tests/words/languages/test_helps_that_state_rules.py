"""Every help text beside a field that states a rule names the test that shows the rule."""

from __future__ import annotations

import ast
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

import pytest
from django import forms
from django.utils import translation

from tests.processes import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

# fmt: off
RULES: Final = {
    "0 where the coin is the unit, 2 where 1.00 is 100 coins. Fixed once money moved.":
        "settings/configuration/test_currency.py::test_they_stay_while_there_are_amounts_elsewhere",
    "A player's cash of one day above it is flagged. Empty: never. P2":
        "play/core/test_players_cash.py::test_p2_without_a_threshold_nobody_is_flagged",
    "A payout above it waits for a second witness. A7":
        "money/payouts/test_payout_holds.py::test_a7_it_is_booked_as_held",
    "A throw for one game goes before the one for every game, whichever was set later. Games"
    " without home throws know none. H3":
        "play/core/test_play_opening.py::"
        "test_the_one_for_the_game_goes_before_the_one_for_every_game",
    "After the cut-off, where nobody closed the day. Empty: only people close it. B4":
        "reports/gaming_days/test_day_closing.py::test_after_the_cut_off_and_its_grace",
    "At least 12 characters, of any kind; no common password, and not like your name.":
        "settings/sign_in/test_people_passwords.py::test_any_twelve_characters_do",
    "By the house's clock.":
        "settings/configuration/test_configuration_pages.py::test_a_later_one_is_by_the_house_s_clock",
    "Each is published with its usual rules and no fee; options and fees are set later, under"
    " Rules and fees. A4":
        "office/onboarding/test_setup_pages.py::"
        "test_a_house_is_set_up_from_nothing_and_a_game_opens",
    "Empty: until somebody readmits them.":
        "play/core/test_players_exclusions.py::"
        "test_p1_who_is_readmitted_sits_down_and_the_record_stays",
    "For days on which other rules held: games are played again under every option, fee and home"
    " throw above.":
        "reports/what_if/test_what_if_form.py::"
        "test_what_holds_now_may_be_asked_of_days_on_which_other_rules_held",
    "For the second person, who approves it. C1":
        "settings/staff/test_people_taken_on.py::test_c1_rejected_a_link_stays_shut",
    "For the house and each table: games, pots, rules, who waits. Without names and stakes until"
    " you say so. Their addresses stand under Settings, Tables.":
        "office/onboarding/test_setup_pages.py::test_one_tick_hangs_up_all_boards",
    "For who has chosen none of their own.":
        "words/languages/test_languages.py::test_own_choice_then_the_house_then_the_browser",
    "Games that are open keep what they were opened with.":
        "play/core/test_play_opening.py::test_a_later_one_does_not_reach_a_running_game",
    "How the house came by it, in its own words; people read it beside the throw. Kept beside the"
    " ledger; it can be erased. May stay empty.":
        "play/core/test_players_erasure.py::test_a_text_is_erased_with_its_salt",
    "How they are written, whoever reads.":
        "words/languages/test_languages.py::test_the_order_is_the_house_s_and_the_words_are_the_reader_s",
    "Name, sign and decimals follow from it.":
        "settings/configuration/test_currency.py::test_name_sign_and_decimals_follow",
    "Needed to reject it.":
        "kit/approvals/test_approvals_requests.py::test_a_rejection_says_why",
    "Of supervisors and managers, on enrolled tablets, where no more than a large prize is taken"
    " back. Otherwise a PIN takes the second factor's code besides.":
        "floor/tables/test_floor_supervisor_proof.py::test_d2_a_house_may_let_a_pin_stand_for_both",
    "Of the streams of throws that raise an alarm by evidence at most one in so many is of fair"
    " dice. A smaller number finds loaded dice sooner and accuses fair ones more often. Alarms that"
    " were raised stay as they are. F2":
        "play/surveillance/test_surveillance_false_discovery_rate.py::"
        "test_another_level_leaves_alarms_that_were_raised_as_they_are",
    "On the waiting list, after the call. Empty: somebody takes them off.":
        "floor/players/test_waiting.py::test_they_are_called_once_and_gone_after_the_houses_minutes",
    "On the floor's list, once nothing was entered for so long. Empty: never.":
        "floor/tables/test_floor_overview.py::"
        "test_a_table_is_idle_after_as_long_as_the_house_says_and_never_in_a_break",
    "Only where the three are a pair, a run or another throw that scores by itself; else it stays"
    " empty. H1":
        "settings/configuration/test_configuration_pages.py::test_what_may_not_be_is_told",
    "Open to whoever has its address, without signing in. It stands under Tables.":
        "floor/wall/test_wall_board.py::test_nothing_is_open_before_it_is_switched_on_and_nothing_after",
    "Open to whoever has its address, without signing in: pot, price, hands, the last result. Names"
    " and stakes only where the house shows them.":
        "floor/wall/test_wall_board.py::"
        "test_seats_instead_of_names_and_no_stakes_unless_the_house_says_so",
    "Otherwise the number of the seat.":
        "floor/wall/test_wall_board.py::"
        "test_seats_instead_of_names_and_no_stakes_unless_the_house_says_so",
    "Points to reach, or the place: 1 is first.":
        "play/settlement/test_settlement_scoreboard.py::"
        "test_a_place_is_won_by_nobody_while_the_season_runs",
    "From the next season on; the one that runs keeps its end.":
        "play/settlement/test_seasons.py::test_another_length_holds_from_the_next_season_on",
    "Only for a season until a day.":
        "settings/configuration/test_scoreboards.py::test_what_is_no_board_is_said_beside_it",
    "Of prizes that are not money each gets the better one.":
        "play/settlement/test_places.py::test_of_goods_each_gets_the_better_one",
    "The season is closed, and its places are decided, with this day.":
        "settings/configuration/test_scoreboards.py::"
        "test_it_is_closed_with_the_day_that_a_manager_says",
    "0 where the prize is not money.":
        "play/settlement/test_settlement_scoreboard.py::test_a_prize_that_is_no_money_moves_none",
    "Roles: attendant, supervisor, manager, auditor. Everybody gets a link by which they set name"
    " and password themselves.":
        "settings/staff/test_people_invitations.py::"
        "test_d1_somebody_new_takes_a_place_with_a_password_of_their_own",
    "Rules, odds, pots and rollovers, without signing in; with the code of a slip also what its"
    " player won that day. Its code hangs on wall boards and stands on slips.":
        "floor/guests/test_guests_slips.py::"
        "test_the_evening_has_all_payouts_of_that_player_and_no_other_s",
    "Stake, ante or price; empty: none. G10":
        "play/core/test_play_opening.py::test_a_tables_limits_hold_for_what_is_played_for",
    "The name at the table; empty: does not play. Staff do not record at their own table.":
        "settings/staff/test_people_players.py::test_d1b_who_plays_at_a_table_does_not_record_there",
    "They choose themselves what they sign in with.":
        "settings/staff/test_people_invitations.py::"
        "test_d1_somebody_new_takes_a_place_with_a_password_of_their_own",
    "They show tables, scoreboards, rules and who waits in turn, each for so long.":
        "floor/wall/test_wall_board.py::test_every_part_has_its_time_by_the_house",
    "Whatever came of it, until the next throw; later, and anything further back, takes a second"
    " person. 0: never. G4":
        "play/core/test_play_undo.py::test_an_undo_ends_with_the_next_throw",
    "When one gaming day ends and the next begins, by the house's clock. A new cut-off holds from"
    " the next day on; a day that began stays begun.":
        "reports/gaming_days/test_day_state.py::test_a_changed_cut_off_makes_no_day_twice",
    "Where a throw ends its round and pays, and whoever enters it could not undo it alone.":
        "floor/offline/test_offline_undo.py::"
        "test_a_house_that_lets_nobody_undo_has_a_second_look_at_what_is_paid",
    "Why it changes; it stands in the change log.":
        "settings/configuration/test_configuration_log_pages.py::test_c2_it_is_filtered_by_what_who_and_day",
    "With it you take over a floor tablet, and sign for what a second person approves.":
        "settings/sign_in/test_people_pins_office.py::test_d3_a_pin_does_not_open_the_office",
}
"""Help texts that state a rule, with the test that shows it."""
DESCRIPTIONS: Final = {
    "As engraved or on the box.",
    "As in 12 r.",
    "As in its address, such as 12.0: event and place.",
    "As its sticker says: Tablet 1, Garden.",
    "As they are counted, one a line: the value, then a name, as 25 blue.",
    "Empty: from the first.",
    "Empty: to the last.",
    "Enter the same password as before, for verification.",
    "In full, as rod.",
    "Limits and more are set later, under Settings.",
    "Of the delivery, as its papers have it.",
    "One of each size: d4, d6, d8, d10 and d12.",
    "To add: 2 or 1/2. To take away: -2.",
    "Where they will not sit down for any.",
    "Where you will not sit down for any.",
}
"""Help texts that say what to enter, and promise nothing of it."""
# fmt: on


def modules_of_forms() -> Iterator[str]:
    for path in sorted((ROOT / "casino").rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        if "admin_site" in path.parts or "forms" not in source:
            continue
        if any(isinstance(node, ast.ClassDef) for node in ast.parse(source).body):
            yield ".".join(path.relative_to(ROOT).with_suffix("").parts)


def forms_of(module: Any) -> Iterator[Any]:
    for found in vars(module).values():
        if isinstance(found, type) and issubclass(found, forms.BaseForm):
            yield found


def helps() -> set[str]:
    """The help texts of all forms, but for what Django says of passwords."""
    with translation.override("en"):
        found = {
            str(field.help_text)
            for name in modules_of_forms()
            for form in forms_of(import_module(name))
            for field in form.base_fields.values()
        }
    return {text for text in found if text and not text.startswith("<ul>")}


def test_every_help_text_is_known_to_state_a_rule_or_none() -> None:
    found = helps()

    assert found - set(RULES) - DESCRIPTIONS == set()
    assert set(RULES) | DESCRIPTIONS == found  # a text that is gone leaves the table


@pytest.mark.parametrize("text", RULES)
def test_a_rule_that_a_help_text_states_has_its_test(text: str) -> None:
    file, _colons, name = RULES[text].rpartition("::")
    tests = ast.walk(ast.parse((ROOT / "tests" / file).read_text(encoding="utf-8")))

    assert name in {node.name for node in tests if isinstance(node, ast.FunctionDef)}
