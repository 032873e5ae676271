"""
The board of a game: what its screen shows and offers, drawn by pure functions from data.

Holds the data that only the house knows (`boards`), the drawing (`drawing`, log, offers, names),
commands read from forms (`posted`), and the list of templates that make up a game's screen
(`screens`). `drawing`, `posted` and `screens` use no database: they run on tablets, too.
Uses `devices` (who records), `core`, `settlement`, `presenters`, `game_streams`, `attendants`,
`establishments`, `languages`, `pseudonyms`.
Begin with `boards.board` and `drawing.draw_board`. The pages around it are in a room above. See
docs/decisions/0041.
"""
