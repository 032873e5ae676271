from django.apps import AppConfig


class ApprovalsConfig(AppConfig):
    name = "casino.approvals"
    verbose_name = "Approvals"

    def ready(self) -> None:
        from casino import following  # noqa: PLC0415 - models are not there before
        from casino.approvals import kinds, projections, voids  # noqa: PLC0415

        following.register(following.Area("approvals", projections.handle, projections.ROWS))
        kinds.register(projections.VOID, voids.KIND)
