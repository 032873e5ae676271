from django.apps import AppConfig


class ApprovalsConfig(AppConfig):
    name = "casino.approvals"
    verbose_name = "Approvals"

    def brings(self) -> None:
        from casino import following  # noqa: PLC0415 - only once they are asked for
        from casino.approvals import kinds, projections, voids  # noqa: PLC0415

        following.register(following.Area("approvals", projections.handle, projections.ROWS))
        kinds.register(projections.VOID, voids.KIND)
