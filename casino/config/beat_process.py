"""
``python -m casino.config.beat_process``: beat, which imports only the settings of the house.

``celery beat`` does the same, but first imports all tasks and models, like a worker. That takes
twice the memory, for names of tasks that are in the settings anyway. Of several beats one sends.
"""

from __future__ import annotations

import logging.config
import signal
import warnings
from typing import TYPE_CHECKING

from celery.beat import Service
from django.conf import settings

from casino.config.beat import Leased
from casino.config.celery import app
from casino.engine.processes import stopping

if TYPE_CHECKING:
    from types import FrameType

STOPS_WITHIN = 15.0  # seconds; whatever beat does takes less


def main() -> None:
    logging.config.dictConfig(settings.LOGGING)
    # Django warns who asks the database before all models are imported; beat never imports them.
    warnings.filterwarnings("ignore", "Accessing the database during app initialization")
    beat = Service(app, scheduler_cls=Leased)

    def stop(_signal: int, _frame: FrameType | None) -> None:
        stopping.exit_within(STOPS_WITHIN)
        beat.stop()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    beat.start()


if __name__ == "__main__":
    main()
