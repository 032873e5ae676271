"""
Dice sets and their life outside games: received, inspected, issued, withdrawn, destroyed (F1).

Holds the model of a set and its steps, the acts on it, destroying by two people, the inventory,
its pages and API. Which table a set lies on during a game is `game_streams.occupancy`; what throws
say about a set is `surveillance`.
Uses `approvals`, `operations`, `attendants`, `establishments`, `game_streams`, `pseudonyms`, `web`.
Begin with `life` (what may be done in which state) and `queries.inventory`.
See `docs/reference/dice.md`.
"""
