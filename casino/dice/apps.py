from django.apps import AppConfig


class DiceConfig(AppConfig):
    name = "casino.dice"
    verbose_name = "Dice"

    def ready(self) -> None:
        """What lists read of a set's life, and what takes two people."""
        from casino import following  # noqa: PLC0415 - models are there only now
        from casino.dice import destroying, projections  # noqa: PLC0415

        following.register(following.Area("dice", projections.handle, projections.ROWS))
        destroying.register()
