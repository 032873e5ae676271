"""The staff's app: changes of who may do what wait for a second person here."""

from django.apps import AppConfig


class AttendantsConfig(AppConfig):
    name = "casino.attendants"
    verbose_name = "Staff"

    def ready(self) -> None:
        from casino.attendants import appointments  # noqa: PLC0415 - models must be there first

        appointments.register()
