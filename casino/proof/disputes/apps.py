from django.apps import AppConfig


class DisputesConfig(AppConfig):
    name = "casino.proof.disputes"
    verbose_name = "Disputes"

    def register_parts(self) -> None:
        from casino.engine.processes.queues import house_subscriber  # noqa: PLC0415 - only once they are asked for
        from casino.kit.approvals import pending_items  # noqa: PLC0415
        from casino.proof.disputes import projections  # noqa: PLC0415

        house_subscriber.register(
            house_subscriber.Area("disputes", projections.handle, projections.ROWS)
        )
        pending_items.register(projections.SOURCE)
