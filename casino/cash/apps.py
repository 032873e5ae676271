from django.apps import AppConfig


class CashConfig(AppConfig):
    name = "casino.cash"
    verbose_name = "Cash"
