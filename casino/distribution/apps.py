"""The Django app of distribution; it has commands and no models."""

from django.apps import AppConfig


class DistributionConfig(AppConfig):
    name = "casino.distribution"
