from django.apps import AppConfig


class DaysConfig(AppConfig):
    name = "casino.days"
    verbose_name = "Gaming days"

    def brings(self) -> None:
        from casino import house_subscriber  # noqa: PLC0415 - only once they are asked for
        from casino.days import projections  # noqa: PLC0415

        house_subscriber.register(projections.DAYS)
