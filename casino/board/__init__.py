"""
The board of a game: what its screen shows and offers, drawn by pure functions from data.

Holds what the house gives along (`boards`), the drawing (`drawing`, log, offers, names), commands
out of forms (`posted`), and which templates a game's screen is made of (`screens`). `drawing`,
`posted` and `screens` know no database: they run on tablets, too.
Uses `devices` (who records), `play`, `settlement`, `presenters`, `game_streams`, `attendants`,
`establishments`, `languages`, `pseudonyms`.
Begin with `boards.board` and `drawing.drawn`. The pages around it are in `tables`.
See docs/decisions/0040.
"""
