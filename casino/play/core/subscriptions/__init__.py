"""
Subscriptions to the ledger: which subscribers there are, and when workers are woken for them.

Holds the Celery tasks that advance settlement, projections, the subscriber ``house`` and
surveillance from their cursors, the sweep that needs no wake, and `manage.py parked`. What a
subscriber writes is in its own room.
Uses `core`, `settlement` and `engine`.
Begin with `tasks.SUBSCRIBERS`, `tasks.advance_all` and `tasks.sweep`; `apps` connects them to acts
and play.
"""
