from django.apps import AppConfig


class AttendantsConfig(AppConfig):
    name = "casino.attendants"
    verbose_name = "Staff"
