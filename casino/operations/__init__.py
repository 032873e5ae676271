"""
How an act becomes one entry of the ledger: decided, guarded, answered once.

Holds acts outside games (`acts`: same id, same answer), changes of the house's things that leave
an event with before and after (`changes`), and the accounts that money moves between (`accounts`).
No models and no pages: every room's `operations` build on it. Commands to a game go through
`casino.play.core` instead.
Uses `attendants`, `establishments` and `pseudonyms`.
Begin with `acts.perform`; for a thing with a row, `changes.change`.
"""
