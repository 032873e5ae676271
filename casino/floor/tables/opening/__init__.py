"""The form that opens a game, rendered for a table; and the command of a filled form."""
