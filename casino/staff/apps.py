from django.apps import AppConfig


class StaffConfig(AppConfig):
    name = "casino.staff"
    verbose_name = "Staff"

    def brings(self) -> None:
        """Changes of who may do what wait for a second person here."""
        from casino.staff import appointments  # noqa: PLC0415 - only once they are asked for

        appointments.register()
