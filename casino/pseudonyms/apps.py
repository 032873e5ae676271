from django.apps import AppConfig


class PseudonymsConfig(AppConfig):
    name = "casino.pseudonyms"
    verbose_name = "Names and texts"
