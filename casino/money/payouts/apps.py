from django.apps import AppConfig


class PayoutsConfig(AppConfig):
    name = "casino.money.payouts"
    verbose_name = "Payouts"

    def register_parts(self) -> None:
        """Register the kinds of requests, and large prizes that wait for a witness."""
        from casino.kit.approvals import pending_items  # noqa: PLC0415 - only once they are asked for
        from casino.money.payouts import adjustments, inspections, resuming  # noqa: PLC0415

        adjustments.register()
        resuming.register()
        pending_items.register(inspections.SOURCE)
