"""The app of subscriptions: after an act or a command of play it wakes the house's workers."""

from typing import Any

from django.apps import AppConfig

from casino.engine.processes import signals


class SubscriptionsConfig(AppConfig):
    name = "casino.play.core.subscriptions"
    verbose_name = "Subscriptions"

    def ready(self) -> None:
        signals.performed.connect(after_an_act)
        signals.played.connect(after_play)


def after_an_act(**what: Any) -> None:
    from casino.play.core.subscriptions import tasks  # noqa: PLC0415 - with it all of settlement; not before an act

    tasks.after_an_act(**what)


def after_play(*, establishment: Any, **_more: Any) -> None:
    from casino.play.core.subscriptions import tasks  # noqa: PLC0415 - with it all of settlement; not before a command

    tasks.wake(establishment=establishment)
