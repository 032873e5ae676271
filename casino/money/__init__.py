"""
Money that players and the house hold: payouts, pots, cash, accounts.

`payouts` lists what was paid and why, holds and adjusts it; `pots` shows pots; `cash` is the cage,
floats, buy-ins and counts; `accounts` reads the balances of the ledger.
Uses `play`, `kit` and what is below. Begin with `payouts.queries` and `cash.operations`.
"""
