"""
House rules: the options, fee and home throws of each game, published and in force from a moment.

Holds publishing a version, finding the version in force, and checking an opening against it. The
rows are `establishments.models.HouseRules`; the pages are in a room above.
Uses `acts`, `presenters` (what an opening asks for), `game_streams`, `attendants`,
`establishments`, `pseudonyms`.
Begin with `operations.in_force` and `operations.terms`. See docs/decisions/0028.
"""
