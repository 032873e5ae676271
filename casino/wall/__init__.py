"""
Wall boards: what players may look at without signing in, where a manager has switched it on.

Holds what a board says of a game (only what everybody at the table sees), of the house, its rules
and rollovers, and the pages.
Uses `tables` (polls answered by 304), `play`, `rollovers`, `presenters`, `game_streams`,
`operations`, `establishments`, `languages`, `pseudonyms`, `web`.
Begin with `pages.board` and `content.game`.
"""
