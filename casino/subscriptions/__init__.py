"""
The workers that follow the ledger: which subscribers there are, and when they are woken.

Holds the Celery tasks that take settlement, projections, the subscriber ``house`` and surveillance
on from their cursors, the sweep that needs no wake, and `manage.py parked`. What a subscriber
writes is in its own room.
Uses `surveillance`, `play`, `settlement`, `operations` and `platform`.
Begin with `tasks.SUBSCRIBERS`, `tasks.go_on` and `tasks.sweep`; `apps` has them woken by acts and
play.
"""
