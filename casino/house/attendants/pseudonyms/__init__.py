"""
Pseudonyms: names and free text behind tokens. They can be erased; the ledger cannot change.

Holds the tables of players' names and of texts, and the functions between words and tokens. The
acts of erasing a name and of excluding a player are in rooms above.
Uses `languages` and `engine`.
Begin with `tokens`: `player_tokens` and `keep` on the way in, `names` and `texts` on the way out.
`similar_names` finds the names of a house that may look like a given one.
docs/decisions/0004 says why.
"""
