"""Redis as the broker. Its client is imported with this module: where `REDIS_URL` is set, only."""

from kombu.transport import redis


class Unmoved(redis.QoS):
    """
    A worker that loses its broker with a task in hand would hand it back, or say that it is done,
    over the connection that is gone, and die of that (kombu 5.7). Messages are wakes: one that is
    lost the sweep makes up for, one that comes again does nothing.
    """

    restore_at_shutdown = False

    def ack(self, delivery_tag: str) -> None:
        if not self.channel.closed:
            super().ack(delivery_tag)

    def reject(self, delivery_tag: str, requeue: bool = False) -> None:  # noqa: FBT001, FBT002 - kombu's own
        if not self.channel.closed:
            super().reject(delivery_tag, requeue=requeue)


class Channel(redis.Channel):
    QoS = Unmoved


class Transport(redis.Transport):
    Channel = Channel
