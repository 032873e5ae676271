"""
The demo house: made through the operations, and played through the API like any other house.

Holds the demo's people, tables, dice, cash and rules, games played line by line or at random over
HTTP, `manage.py demo`, and the check that nobody of the demo gets into a real installation.
How a game is opened and played at random is in the game's own package (`casino.words.presenters`).
Uses `sign_in` (who works there), `staff`, `cash`, `custody`, `dice`, `home_throws`, `acts`,
`attendants`, `establishments`; games are played by HTTP alone (`client`).
Begin with `house.make` and `play.Evening`.
"""
