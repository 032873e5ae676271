"""The Celery application: tasks are nudges, the ledger is the outbox."""

import os

from celery import Celery
from kombu.transport.redis import QoS

# A worker that loses its broker with a task in hand would hand it back over the connection that is
# gone, and die of that (kombu 5.7). Tasks are nudges: the sweep makes up for one that is lost.
QoS.restore_at_shutdown = False

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")

app = Celery("casino")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
