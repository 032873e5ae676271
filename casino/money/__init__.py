"""
Money that players and the house hold: payouts, pots, cash, accounts.

`payouts` lists what was paid and why, holds and adjusts it, and shows pots; `cash` is the cage,
floats, buy-ins and counts, and the balances of all accounts.
Uses `play`, `kit` and what is below. Begin with `payouts.queries` and `cash.counting`.
"""
