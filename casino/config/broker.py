"""Redis as the broker. Only a house with `REDIS_URL` set imports this module and Redis's client."""

from kombu.transport import redis


class Unmoved(redis.QoS):
    """
    A worker that loses its broker while it works on a task.

    kombu 5.7 would then return or acknowledge the task over the lost connection, and the worker
    would die of that. Messages are wakes: the sweep makes up for a lost one, and a repeated one
    does nothing.
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
