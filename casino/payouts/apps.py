from django.apps import AppConfig


class PayoutsConfig(AppConfig):
    name = "casino.payouts"
    verbose_name = "Payouts"

    def brings(self) -> None:
        """What may be asked for here, and what waits for a witness."""
        from casino.approvals import elsewhere  # noqa: PLC0415 - only once they are asked for
        from casino.payouts import adjustments, errands, resuming  # noqa: PLC0415

        adjustments.register()
        resuming.register()
        elsewhere.register(errands.SOURCE)
