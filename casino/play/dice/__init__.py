"""
Dice sets and their life outside games: received, inspected, issued, withdrawn, destroyed (F1).

Holds the model of a set and its steps, the acts on it, destruction by two people, the inventory,
its pages and API. `game_streams.occupancy` says on which table a set lies during a game.
Within it `surveillance` judges what throws show, and `odds` says what they should show.
Uses `approvals`, `acts`, `attendants`, `establishments`, `game_streams`, `pseudonyms`, `web`.
Begin with `life` (what may be done in which state) and `queries.inventory`. See
`docs/reference/dice.md`.
"""
