from django.apps import AppConfig


class DiceConfig(AppConfig):
    name = "casino.dice"
    verbose_name = "Dice"
