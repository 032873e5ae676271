from django.apps import AppConfig


class ApprovalsConfig(AppConfig):
    name = "casino.approvals"
    verbose_name = "Approvals"

    def brings(self) -> None:
        from casino.approvals import projections  # noqa: PLC0415
        from casino.platform import house_subscriber  # noqa: PLC0415 - only once they are asked for

        house_subscriber.register(
            house_subscriber.Area("approvals", projections.handle, projections.ROWS)
        )
