"""
Dice fairness and entry patterns, from raw throws (controls F2, F3).

Holds the subscriber `surveillance`, anytime-valid evidence against fair dice, entry statistics,
no-throws by who led, alarms and their acknowledgement, pages, API, and `manage.py fairness` for any
list of throws.
Uses `settlement` (which day an effect belongs to), `dice`, `approvals`, `web` and base rooms.
Begin with `subscriber.batch` and `stream_monitor.StreamMonitor`. The statistics are in `e_values`
and `goodness_of_fit`. See
`docs/explanation/surveillance.md`.
"""
