"""
Regrades: every payout computed once more from its throws, and compared with what was booked (E4).

Holds runs that workers advance slice by slice, the reading of a ledger with bounded memory
(`reading`), the grading of one game, findings, their API, and `manage.py regrade`. Its report is a
register, above.
Uses `settlement`, `core`, `acts`, `game_streams`, `attendants`, `establishments`, `pseudonyms`,
`engine`, `web`.
Begin with `runs.ask`, `grading.grade` and `grading.grade_game`. See `docs/how-to/regrade.md`.
"""
