"""Faults in the rules of the games."""

from __future__ import annotations

from tests.mutations.fault import Fault

GAMES = (
    Fault(
        "of a pot that does not divide each gets an odd coin",
        "games/payments.py",
        "part + 1 if place < odd else part",
        "part + 1 if place <= odd else part",
        "tests/games/test_stone_hand_rules.py",
    ),
    Fault(
        "a rake takes less than a unit",
        "games/fees.py",
        "return most // unit * unit",
        "return most",
        "tests/games/test_stone_hand_rules.py",
    ),
    Fault(
        "a loser of dice breaker leaves with the ante",
        "games/dice_breaker/rules.py",
        "state.ante > 0 and not state.thrown",
        "state.ante > 0",
        "tests/games/test_dice_breaker_rules.py",
    ),
    Fault(
        "a rake is rounded up",
        "games/fees.py",
        "pot * agreed.percent // 100",
        "-(-pot * agreed.percent // 100)",
        "tests/games/test_dice_breaker_rules.py",
    ),
    Fault(
        "a void goes back across money that has left",
        "games/corrections.py",
        "    if target <= barrier:",
        "    if target < barrier:",
        "tests/games/test_voids.py",
    ),
    Fault(
        "what was pocketed keeps a player in the game",
        "games/cinnabar_gate/payouts.py",
        "if payment.payee in after and not pocketing:",
        "if payment.payee in after:",
        "tests/games/test_cinnabar_gate_rules.py",
    ),
    Fault(
        "other dice are revealed than were sealed",
        "games/river/commitments.py",
        "    if commitment(salt, dice) != given:",
        "    if len(commitment(salt, dice)) != len(given):",
        "tests/games/test_river_commitments.py",
    ),
    Fault(
        "a pot is not rolled over where the table closes between two rounds",
        "games/threes_away/rules.py",
        "        return (end_game(state, max(1, this.number - 1)),)",
        '        return (GameEnded(max(1, this.number - 1), (), ("G9",)),)',
        "tests/games/test_threes_away_rollover.py",
    ),
    Fault(
        "whoever reaches the target exactly has not won",
        "games/dice_breaker/rules.py",
        "    if top < state.opened.options.target:",
        "    if top <= state.opened.options.target:",
        "tests/games/test_dice_breaker_rules.py",
    ),
    Fault(
        "the odd coins of a closed table go by seats, not from the first thrower",
        "games/stone_hand/rules.py",
        "    payments = share(after.pot, among or state.playing, (",
        "    payments = share(after.pot, state.playing, (",
        "tests/games/test_stone_hand_rules.py",
    ),
    Fault(
        "the seats go round the other way",
        "games/seats.py",
        "everyone[start:] + everyone[:start] if name",
        "everyone[start::-1] + everyone[:start:-1] if name",
        "tests/games/test_stone_hand_rules.py",
    ),
    Fault(
        "an explanation names an empty throw for the one that lost a tie",
        "games/stone_hand/explain.py",
        "    last = [throw for _, throw in story.tie if throw.player == end.loser][-1]",
        "    last = [throw for _, throw in story.tie if throw.player == end.loser][0]",
        "tests/games/test_explain_stone_hand.py",
    ),
)
