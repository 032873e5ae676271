"""`manage.py parked`: lists events that a subscriber could not handle, and retries them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand

from casino.play.core.subscriptions.tasks import SUBSCRIBERS
from ledger import subscriptions
from ledger.conflicts import count_of
from ledger.models import ParkedEvent

if TYPE_CHECKING:
    from argparse import ArgumentParser


class Command(BaseCommand):
    help = "List the streams that settlement or the projections have parked; --retry tries again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--retry", action="store_true", help="replay them in order")

    def handle(self, *, retry: bool, **_options: Any) -> None:
        """List (and retry) parked events; the exit status is 1 while any event is parked."""
        for subscriber in SUBSCRIBERS:
            rows = ParkedEvent.objects.filter(subscription=subscriber.name).order_by("position")
            for row in rows.exclude(attempts=0):
                self.stdout.write(f"{subscriber.name} {row.stream} {row.position}: {row.error}")
            if retry:
                streams = rows.order_by().values_list("establishment", "stream").distinct()
                for house, stream in streams:
                    subscriptions.retry(subscriber, establishment=house, stream=stream)
        left = ParkedEvent.objects.count()
        self.stdout.write(f"{count_of(left, 'event')} parked." if left else "Nothing is parked.")
        raise SystemExit(1 if left else 0)
