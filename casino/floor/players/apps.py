from django.apps import AppConfig


class PlayersConfig(AppConfig):
    name = "casino.floor.players"

    def register_parts(self) -> None:
        from casino.engine.processes.queues import house_subscriber  # noqa: PLC0415 - only once they are asked for
        from casino.floor.players import projections  # noqa: PLC0415

        house_subscriber.register(
            house_subscriber.Area(
                "players", projections.handle, projections.ROWS, effects=projections.ERASED
            )
        )
