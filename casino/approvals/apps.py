from django.apps import AppConfig


class ApprovalsConfig(AppConfig):
    name = "casino.approvals"
    verbose_name = "Approvals"

    def brings(self) -> None:
        from casino import house_subscriber  # noqa: PLC0415 - only once they are asked for
        from casino.approvals import kinds, projections, voids  # noqa: PLC0415

        house_subscriber.register(
            house_subscriber.Area("approvals", projections.handle, projections.ROWS)
        )
        kinds.register(projections.VOID, voids.KIND)
