from django.apps import AppConfig


class SurveillanceConfig(AppConfig):
    name = "casino.play.dice.surveillance"
    verbose_name = "Surveillance"

    def register_parts(self) -> None:
        from casino.engine.processes.queues import house_subscriber  # noqa: PLC0415 - only once they are asked for
        from casino.play.dice.surveillance import alarms  # noqa: PLC0415

        house_subscriber.register(house_subscriber.Area("surveillance", alarms.handle, alarms.ROWS))
