from django.apps import AppConfig


class ConfigurationConfig(AppConfig):
    name = "casino.configuration"
    verbose_name = "Settings"

    def brings(self) -> None:
        """What is configured waits for approval here, and its history is read."""
        from casino.configuration import registration  # noqa: PLC0415 - only once they are asked for

        registration.register()
