from django.apps import AppConfig


class ConfigConfig(AppConfig):
    name = "casino.config"
    verbose_name = "The installation"
