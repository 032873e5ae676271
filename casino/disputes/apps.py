from django.apps import AppConfig


class DisputesConfig(AppConfig):
    name = "casino.disputes"
    verbose_name = "Disputes"

    def brings(self) -> None:
        from casino import following  # noqa: PLC0415 - only once they are asked for
        from casino.approvals import elsewhere  # noqa: PLC0415
        from casino.disputes import errands, projections  # noqa: PLC0415

        following.register(following.Area("disputes", projections.handle, projections.ROWS))
        elsewhere.register(errands.SOURCE)
