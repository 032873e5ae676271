from django.apps import AppConfig


class ApprovalsConfig(AppConfig):
    name = "casino.kit.approvals"
    verbose_name = "Approvals"

    def register_parts(self) -> None:
        from casino.engine.processes.queues import house_subscriber  # noqa: PLC0415 - only once they are asked for
        from casino.kit.approvals import projections  # noqa: PLC0415

        house_subscriber.register(
            house_subscriber.Area("approvals", projections.handle, projections.ROWS)
        )
