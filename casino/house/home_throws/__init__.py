"""
A house's own home throws: three dice with a story, and which of them is in force (H1).

Holds their model, setting the next one, looking up the one in force, and the exact
probability of three faces (`operations.exactly`). Page and report are in rooms above.
Within it `house_rules` has options and fee of each game.
Uses `acts`, `attendants`, `establishments`, `pseudonyms`, `engine`.
Begin with `operations.in_force`.
"""
