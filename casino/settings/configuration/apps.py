from django.apps import AppConfig


class ConfigurationConfig(AppConfig):
    name = "casino.settings.configuration"
    verbose_name = "Settings"

    def register_parts(self) -> None:
        """Register changes of configuration as a kind of request, and who reads their history."""
        from casino.settings.configuration import registration  # noqa: PLC0415 - only once they are asked for

        registration.register()
