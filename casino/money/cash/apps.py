from django.apps import AppConfig


class CashConfig(AppConfig):
    name = "casino.money.cash"
    verbose_name = "Cash"

    def register_parts(self) -> None:
        """Register the projections of cash, and the kinds of requests for approval."""
        from casino.engine.processes.queues import house_subscriber  # noqa: PLC0415 - only once they are asked for
        from casino.money.cash import books, projections, slips  # noqa: PLC0415

        house_subscriber.register(projections.CASH)
        books.register()
        slips.register()
