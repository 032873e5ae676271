"""Run a whole regrade at once, in this process or in several."""

from __future__ import annotations

from typing import TYPE_CHECKING

from casino.proof.regrade import reading, scoreboard, slices, worker_pool
from casino.proof.regrade.findings import Findings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from casino.proof.regrade.slices import Scope


def regrade(scope: Scope, *, workers: int = 1) -> Iterator[tuple[range, Findings]]:
    """
    Grade all slices and yield the findings of each as it is done. If the whole ledger of a house
    is regraded, the scoreboard is compared last.

    :raises Interrupted: if one of several processes is killed or fails.
    """
    spans, whole = reading.spans(scope.stretch), Findings()
    alone = ((span, slices.grade(scope, span)) for span in spans)
    for span, found in alone if workers == 1 else worker_pool.grade_slices(scope, spans, workers):
        whole.counted(found)
        yield span, found
    if scope.period.whole and not scope.current:
        stop = scope.stretch.stop
        differences = list(scoreboard.compare(scope.establishment, whole, stop))
        yield range(stop, stop), Findings(differences=differences)
