from django.apps import AppConfig


class PlayersConfig(AppConfig):
    name = "casino.players"

    def ready(self) -> None:
        from casino import following  # noqa: PLC0415 - models are ready only now
        from casino.players import projections  # noqa: PLC0415

        following.register(
            following.Area(
                "players", projections.handle, projections.ROWS, effects=projections.ERASED
            )
        )
