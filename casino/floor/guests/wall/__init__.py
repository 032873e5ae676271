"""
Wall boards: pages for players, without signing in, if a manager has switched them on.

Holds the content of a board about a game (only what everybody at the table sees), the parts that a
board of the house walks through, how the house plays each game, and the pages.
Uses `tables` (polls answered by 304), `odds` (options in force), `core`, `players` (who waits),
`rollovers`, `home_throws`, `house_rules`, `presenters`, `game_streams`, `acts`,
`establishments`, `languages`, `pseudonyms`, `web`.
Begin with `pages.board`, `content.game` and `content.PARTS`.
"""
