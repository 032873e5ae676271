from django.apps import AppConfig


class DiceConfig(AppConfig):
    name = "casino.dice"
    verbose_name = "Dice"

    def brings(self) -> None:
        """Register the projection of sets' lives, and the request to destroy a set."""
        from casino.dice import destroying, projections  # noqa: PLC0415
        from casino.platform import house_subscriber  # noqa: PLC0415 - only once they are asked for

        house_subscriber.register(
            house_subscriber.Area("dice", projections.handle, projections.ROWS)
        )
        destroying.register()
