"""Celery's beat schedule: the sweeps and watches that make up for lost wakes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable


def of(queues: Iterable[str]) -> dict[str, Any]:
    """
    What beat sends, and how often: in seconds by a clock that nobody can set. No message expires
    (casino/config/beat.py). Names of tasks are no paths: each stands, with its name, in the `tasks`
    of its room.

    :param queues: all that are served; each gets a sign of life.
    """
    return {
        "sweep": {"task": "casino.subscriptions.tasks.sweep", "schedule": 1.0},
        "rest": {"task": "casino.subscriptions.tasks.rest", "schedule": 30.0},
        "rollovers": {"task": "casino.subscriptions.tasks.sweep_rollovers", "schedule": 5.0},
        **{
            f"sign of {queue}": {
                "task": "casino.health.tasks.sign_of_life",
                "schedule": 5.0,
                "kwargs": {"queue": queue},
                "options": {"queue": queue},
            }
            for queue in queues
        },
        "days": {"task": "casino.gaming_days.tasks.watch", "schedule": 60.0},
        "jobs": {"task": "casino.jobs.tasks.watch", "schedule": 30.0},
        "trees": {"task": "casino.integrity.tasks.watch_trees", "schedule": 3.0},
        "copies": {"task": "casino.integrity.tasks.watch_copies", "schedule": 15.0},
        "chains": {"task": "casino.chain.tasks.watch", "schedule": 10.0},
        "pieces": {"task": "casino.partitions.tasks.watch", "schedule": 60.0},
    }
