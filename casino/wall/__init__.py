"""
Wall boards: pages for players, without signing in, if a manager has switched them on.

Holds the content of a board about a game (only what everybody at the table sees), the house, its
rules and rollovers, and the pages.
Uses `tables` (polls answered by 304), `play`, `rollovers`, `presenters`, `game_streams`,
`operations`, `establishments`, `languages`, `pseudonyms`, `web`.
Begin with `pages.board` and `content.game`.
"""
