from django.apps import AppConfig


class HealthConfig(AppConfig):
    name = "casino.health"
    verbose_name = "Health"
