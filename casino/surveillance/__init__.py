"""
Dice fairness and entry patterns, from raw throws (controls F2, F3).

Holds the subscriber `surveillance`, evidence against fair dice that may be looked at at any time,
no-throws by who led, alarms and their acknowledgement, pages, API, and `manage.py fairness` for any
list of throws.
Uses `settlement` (which day an effect belongs to), `dice`, `approvals`, `web` and base rooms.
Begin with `subscriber.handle` and `watching.Watch`; the statistics are in `evidence` and
`independence`. See `docs/explanation/surveillance.md`.
"""
