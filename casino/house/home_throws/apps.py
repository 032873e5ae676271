from django.apps import AppConfig


class HomeThrowsConfig(AppConfig):
    name = "casino.house.home_throws"
    verbose_name = "Home throws"
