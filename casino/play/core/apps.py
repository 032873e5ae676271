from django.apps import AppConfig


class PlayConfig(AppConfig):
    name = "casino.play.core"
    label = "play"

    def register_parts(self) -> None:
        """Register requests to void, which games keep, as a kind of request for approval."""
        from casino.kit.approvals import kinds, projections  # noqa: PLC0415 - only once they are asked for
        from casino.play.core import void_requests  # noqa: PLC0415

        kinds.register(projections.VOID, void_requests.KIND)
