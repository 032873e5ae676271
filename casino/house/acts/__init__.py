"""
How an act becomes one entry of the ledger: decided, guarded, answered once.

Holds acts outside games (`acts`: an act that is sent again gets the same answer), changes of the
house's things, each with an event that records before and after (`changes`), and the accounts that
money moves between (`accounts`). There are no models and no pages: the `operations` of every room
use this room. Commands to a game are recorded in a room above.
Within it `custody` says who is responsible for a table's money, and `game_streams` folds games from
their streams.
Uses `attendants`, `establishments` and `pseudonyms`.
Begin with `acts.perform`; for a thing with a row, `changes.change`.
"""
