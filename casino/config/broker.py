"""Redis as the broker. Only a house with `REDIS_URL` set imports this module and Redis's client."""

from typing import Any

import structlog
from kombu.transport import redis, virtual

log = structlog.get_logger(__name__)


class Unmoved(redis.QoS):
    """
    Acknowledges or returns no message over a closed connection, and counts none as being worked on
    whose acknowledgement failed.

    A worker that lost its broker while it worked on a task would do so with kombu 5.7, and die of
    it. If the broker was silent for some seconds, such a message would be counted for ever, and the
    worker would take no other. Messages are wakes: the sweep makes up for a lost one,
    and a repeated one does nothing.
    """

    restore_at_shutdown = False

    def ack(self, delivery_tag: str) -> None:
        try:
            if not self.channel.closed:
                super().ack(delivery_tag)
        finally:
            virtual.QoS.ack(self, delivery_tag)

    def reject(self, delivery_tag: str, requeue: bool = False) -> None:  # noqa: FBT001, FBT002 - kombu's own
        try:
            if not self.channel.closed:
                super().reject(delivery_tag, requeue=requeue)
        finally:
            virtual.QoS.ack(self, delivery_tag)


class Closing:
    """
    Says what a channel leaves undone that is closed while the broker does not answer, as on a stop:
    messages that were not acknowledged come again, and queues of this process alone stay.
    """

    connection_errors: tuple[type[Exception], ...]
    _qos: Any

    def close(self) -> None:
        try:
            super().close()  # type: ignore[misc]  # of kombu's channel
        except self.connection_errors as error:
            left = self._qos
            waiting = len(left._delivered) - len(left._dirty) if left else 0  # noqa: SLF001 - kombu's own
            log.warning("broker_given_up", unacknowledged=waiting, reason=type(error).__name__)
            raise


class Channel(Closing, redis.Channel):
    QoS = Unmoved


class Transport(redis.Transport):
    Channel = Channel


class SentinelChannel(Closing, redis.SentinelChannel):
    QoS = Unmoved


class SentinelTransport(redis.SentinelTransport):
    """Several servers, of which the sentinels say who is the master at each new connection."""

    Channel = SentinelChannel
