from django.apps import AppConfig


class PayoutsConfig(AppConfig):
    name = "casino.payouts"
    verbose_name = "Payouts"

    def ready(self) -> None:
        """What may be asked for here."""
        from casino.payouts import adjustments, resuming  # noqa: PLC0415 - models are there only now

        adjustments.register()
        resuming.register()
