from django.apps import AppConfig


class FindingConfig(AppConfig):
    name = "casino.finding"
    verbose_name = "Finding"

    def ready(self) -> None:
        from casino import following  # noqa: PLC0415 - models are not there before
        from casino.finding import projections  # noqa: PLC0415

        following.register(projections.FINDING)
