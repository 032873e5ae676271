"""
Health checks: database, broker, workers, lag, signing, payouts; for monitors and people.

Holds `/healthz`, `manage.py health`, the probe of a container's engine, and the heartbeats of
workers (`models.WorkerSign`).
Uses `integrity`, `regrade`, `settlement`, `subscriptions`, `establishments`, `platform`.
Begin with `checks.report`.
"""
