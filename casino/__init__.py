"""The house: puts games, ledger and people together."""

from casino import structlog_without_rich  # noqa: F401 - before anything else brings structlog in
from casino.celery import app as celery_app

__all__ = ["celery_app"]
