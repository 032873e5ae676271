from django.apps import AppConfig


class SearchConfig(AppConfig):
    name = "casino.proof.search"
    verbose_name = "Search"

    def register_parts(self) -> None:
        from casino.engine.processes.queues import house_subscriber  # noqa: PLC0415 - only once they are asked for
        from casino.proof.search import projections  # noqa: PLC0415

        house_subscriber.register(projections.SEARCH)
