"""The Django app of partitions; it has commands and a task, and no models."""

from django.apps import AppConfig


class PartitionsConfig(AppConfig):
    name = "casino.partitions"
