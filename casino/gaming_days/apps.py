from django.apps import AppConfig


class GamingDaysConfig(AppConfig):
    name = "casino.gaming_days"
    verbose_name = "Gaming days"

    def brings(self) -> None:
        from casino.gaming_days import projections  # noqa: PLC0415
        from casino.platform import house_subscriber  # noqa: PLC0415 - only once they are asked for

        house_subscriber.register(projections.DAYS)
