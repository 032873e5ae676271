"""The form that opens a game: shown for a table, and the command that a filled one says."""
