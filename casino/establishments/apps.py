"""The houses' app: what is configured waits for approval here, and its history is read."""

from django.apps import AppConfig


class EstablishmentsConfig(AppConfig):
    name = "casino.establishments"
    verbose_name = "Houses and tables"

    def brings(self) -> None:
        from casino.establishments import ready  # noqa: PLC0415 - only once they are asked for

        ready.register()
