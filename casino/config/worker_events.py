"""What a worker tells about itself over the broker: nothing, as nobody in the house reads it."""

from typing import Any

from celery.events.dispatcher import EventDispatcher


class Unsent(EventDispatcher):
    """
    Takes the events that Celery makes of a worker, and sends none.

    Celery sends a heartbeat every two seconds from a worker's main loop, and tries each again for
    as long as the broker does not answer. Until then the loop would stand: no stop would be heard,
    and no sign of life given.
    """

    def send(self, *_event: Any, **_fields: Any) -> None:
        """Send nothing."""
