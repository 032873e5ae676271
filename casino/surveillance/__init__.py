"""Dice fairness and entry patterns, from raw throws (controls F2, F3)."""
