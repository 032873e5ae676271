from django.apps import AppConfig


class StaffConfig(AppConfig):
    name = "casino.settings.staff"
    verbose_name = "Staff"

    def register_parts(self) -> None:
        """Register the requests for changes of roles and for invitations."""
        from casino.settings.staff import appointments  # noqa: PLC0415 - only once they are asked for

        appointments.register()
