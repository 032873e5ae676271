"""The house: puts games, ledger and people together."""

from casino.config.celery import app as celery_app
from casino.engine.logs import structlog_without_rich  # noqa: F401 - before anything else brings structlog in

__all__ = ["celery_app"]
