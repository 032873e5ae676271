from django.apps import AppConfig


class IntegrityConfig(AppConfig):
    name = "casino.integrity"
    verbose_name = "Integrity"

    def ready(self) -> None:
        from django.core import checks  # noqa: PLC0415 - models are not there before

        from casino import following  # noqa: PLC0415
        from casino.integrity import destinations  # noqa: PLC0415
        from casino.integrity.following import SIGNED  # noqa: PLC0415

        following.register(SIGNED)
        checks.register(destinations.checked)
