from django.apps import AppConfig
from django.db.models.signals import post_migrate


class LedgerConfig(AppConfig):
    name = "ledger"
    verbose_name = "Ledger"

    def ready(self) -> None:
        from ledger import checks, install  # noqa: F401, PLC0415  once models are loaded

        post_migrate.connect(install.after_migrate, sender=self)
