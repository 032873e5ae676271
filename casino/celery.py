"""The Celery application: tasks are nudges, the ledger is the outbox."""

import os

from celery import Celery
from kombu.transport.redis import Channel, QoS


class Unmoved(QoS):
    """
    A worker that loses its broker with a task in hand would hand it back, or say that it is done,
    over the connection that is gone, and die of that (kombu 5.7). Tasks are nudges: one that is
    lost the sweep makes up for, one that comes again does nothing.
    """

    restore_at_shutdown = False

    def ack(self, delivery_tag: str) -> None:
        if not self.channel.closed:
            super().ack(delivery_tag)

    def reject(self, delivery_tag: str, requeue: bool = False) -> None:  # noqa: FBT001, FBT002 - kombu's own
        if not self.channel.closed:
            super().reject(delivery_tag, requeue=requeue)


Channel.QoS = Unmoved

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")

app = Celery("casino")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
