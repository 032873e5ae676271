from django.apps import AppConfig


class CashConfig(AppConfig):
    name = "casino.cash"
    verbose_name = "Cash"

    def brings(self) -> None:
        """What others read of the house's cash, and what may be asked for there."""
        from casino.cash import books, projections, slips  # noqa: PLC0415
        from casino.platform import house_subscriber  # noqa: PLC0415 - only once they are asked for

        house_subscriber.register(projections.CASH)
        books.register()
        slips.register()
