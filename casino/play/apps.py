"""Who acts for a house wakes the workers of its games."""

from typing import Any

from django.apps import AppConfig


class PlayConfig(AppConfig):
    name = "casino.play"

    def ready(self) -> None:
        from casino.establishments import acts  # noqa: PLC0415 - models are not there before

        acts.performed.connect(after_an_act)


def after_an_act(**what: Any) -> None:
    from casino.play import tasks  # noqa: PLC0415 - with it all of settlement; not before an act

    tasks.after_an_act(**what)
