from django.apps import AppConfig


class DisputesConfig(AppConfig):
    name = "casino.disputes"
    verbose_name = "Disputes"

    def brings(self) -> None:
        from casino.approvals import pending_items  # noqa: PLC0415
        from casino.disputes import pending, projections  # noqa: PLC0415
        from casino.platform import house_subscriber  # noqa: PLC0415 - only once they are asked for

        house_subscriber.register(
            house_subscriber.Area("disputes", projections.handle, projections.ROWS)
        )
        pending_items.register(pending.SOURCE)
