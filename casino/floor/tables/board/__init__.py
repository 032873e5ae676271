"""
The board of a game: what its screen shows and offers, drawn by pure functions from data.

Holds reading what only the house knows (`boards`), the drawing (`drawing`, log, offers, names), the
types of what a board is drawn from, with the templates of a game's screen (`drawing_data`), and
commands read from forms (`posted`). All but `boards` use no database: they run on tablets, too.
Uses `devices` (who records), `core`, `settlement`, `presenters`, `game_streams`, `attendants`,
`establishments`, `languages`, `pseudonyms`.
Begin with `boards.board` and `drawing.draw_board`. The pages around it are in a room above. See
docs/decisions/0041.
"""
