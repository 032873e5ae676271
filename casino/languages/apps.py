from django.apps import AppConfig


class LanguagesConfig(AppConfig):
    name = "casino.languages"
    verbose_name = "Languages"
