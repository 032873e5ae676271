"""The app of exclusions: registers its projection of the house's events."""

from django.apps import AppConfig


class ExclusionsConfig(AppConfig):
    name = "casino.exclusions"
    verbose_name = "Exclusions"

    def brings(self) -> None:
        from casino.exclusions import projections  # noqa: PLC0415 - only once they are asked for
        from casino.platform import house_subscriber  # noqa: PLC0415

        house_subscriber.register(
            house_subscriber.Area("exclusions", projections.handle, projections.ROWS)
        )
