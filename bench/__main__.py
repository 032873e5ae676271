"""``python -m bench``: all benchmarks in one run, on one PostgreSQL and one SQLite."""

from bench import (
    append,
    fairness,
    fold,
    latency,
    odds,
    polls,
    program,
    proof,
    regrade,
    reports,
    settlement,
    surveillance,
)

if __name__ == "__main__":
    program.main(
        append.APPENDS,
        fold.FOLDS,
        latency.LATENCY,
        settlement.SETTLEMENT,
        fairness.FAIRNESS,
        surveillance.SURVEILLANCE,
        odds.ODDS,
        polls.POLLS,
        regrade.REGRADE,
        reports.REPORTS,
        proof.PROOF,
    )
