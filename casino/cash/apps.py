from django.apps import AppConfig


class CashConfig(AppConfig):
    name = "casino.cash"
    verbose_name = "Cash"

    def brings(self) -> None:
        """Register the projections of cash, and the kinds of requests for approval."""
        from casino.cash import books, projections, slips  # noqa: PLC0415
        from casino.platform import house_subscriber  # noqa: PLC0415 - only once they are asked for

        house_subscriber.register(projections.CASH)
        books.register()
        slips.register()
