"""The house: puts games, ledger and people together."""

from casino.celery import app as celery_app

__all__ = ["celery_app"]
