from django.apps import AppConfig


class SettlementConfig(AppConfig):
    name = "casino.settlement"
    verbose_name = "Settlement"
