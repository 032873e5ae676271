"""``python -m bench``: everything in one run, on one PostgreSQL and one SQLite."""

from bench import append, fold, latency, odds, polls, program, proof, regrade, settlement

if __name__ == "__main__":
    program.main(
        append.APPENDS,
        fold.FOLDS,
        latency.LATENCY,
        settlement.SETTLEMENT,
        odds.ODDS,
        polls.POLLS,
        regrade.REGRADE,
        proof.PROOF,
    )
