"""The jobs that a crew's processes can do, by name."""

from collections.abc import Callable
from typing import Any

from bench.work import (
    appends,
    baselines,
    filling,
    folds,
    growing,
    house,
    odds,
    polls,
    proofs,
    reports,
    subscribers,
    turns,
    watching,
)

JOBS: dict[str, Callable[..., Any]] = {
    "report_forms": reports.forms,
    "report_payouts": reports.payouts,
    "hello": house.hello,
    "migrate": house.migrate,
    "found_houses": house.found_houses,
    "empty_queues": house.empty_queues,
    "play": house.play,
    "play_games": house.play_games,
    "attend": house.attend,
    "sample": appends.sample,
    "append": appends.append,
    "raw_tables": baselines.raw_tables,
    "raw": baselines.raw,
    "eventsourcing_tables": baselines.eventsourcing_tables,
    "eventsourcing": baselines.eventsourcing,
    "follow": subscribers.follow,
    "watch": watching.watch,
    "served": turns.served,
    "keep_following": subscribers.keep_following,
    "fold": folds.fold,
    "grown": growing.grown,
    "fill": filling.fill,
    "regrade": filling.regrade,
    "odds": odds.surfaces,
    "polls": polls.polls,
    "bulk": proofs.bulk,
    "tree": proofs.tree,
    "checkpoint": proofs.checkpoint,
    "receipts": proofs.receipts,
    "verified": proofs.verified,
}
