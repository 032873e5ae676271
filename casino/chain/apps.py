from typing import Any

from django.apps import AppConfig

from casino.platform import signals


class ChainConfig(AppConfig):
    name = "casino.chain"
    verbose_name = "Chain"

    def ready(self) -> None:
        signals.caught_up.connect(after_reading)

    def brings(self) -> None:
        from casino.chain import proof  # noqa: PLC0415 - only once it is asked for
        from casino.integrity import tasks  # noqa: PLC0415

        tasks.OTHERS.setdefault(self.name, proof.sign)


def after_reading(*, establishment: Any, **_more: Any) -> None:
    from casino.chain import summaries  # noqa: PLC0415 - of a worker, not of each process

    summaries.follow(establishment)
