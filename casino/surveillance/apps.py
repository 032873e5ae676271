from django.apps import AppConfig


class SurveillanceConfig(AppConfig):
    name = "casino.surveillance"
    verbose_name = "Surveillance"

    def ready(self) -> None:
        from casino import following  # noqa: PLC0415 - models are not there before
        from casino.surveillance import projections  # noqa: PLC0415

        following.register(following.Area("surveillance", projections.handle, projections.ROWS))
