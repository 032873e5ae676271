from django.apps import AppConfig


class ChainConfig(AppConfig):
    name = "casino.chain"
    verbose_name = "Chain"

    def register_parts(self) -> None:
        from casino.chain import proof, summaries  # noqa: PLC0415 - only once it is asked for
        from casino.play.core.subscriptions import quiet  # noqa: PLC0415
        from casino.proof.signing import tasks  # noqa: PLC0415

        tasks.OTHERS.setdefault(self.name, proof.sign)
        quiet.KEEPERS["chain"] = summaries.behind
