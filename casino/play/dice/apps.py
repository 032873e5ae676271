from django.apps import AppConfig


class DiceConfig(AppConfig):
    name = "casino.play.dice"
    verbose_name = "Dice"

    def register_parts(self) -> None:
        """Register the projection of sets' lives, and the request to destroy a set."""
        from casino.engine.processes.queues import house_subscriber  # noqa: PLC0415 - only once they are asked for
        from casino.play.dice import destroying, projections  # noqa: PLC0415

        house_subscriber.register(
            house_subscriber.Area("dice", projections.handle, projections.ROWS)
        )
        destroying.register()
