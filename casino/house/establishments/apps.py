from django.apps import AppConfig


class EstablishmentsConfig(AppConfig):
    name = "casino.house.establishments"
    verbose_name = "Houses and tables"
