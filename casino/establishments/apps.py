from django.apps import AppConfig


class EstablishmentsConfig(AppConfig):
    name = "casino.establishments"
    verbose_name = "Houses and tables"
