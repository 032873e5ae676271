"""
The house: its rows, its people, its rules in force, and how what they do comes into the ledger.

`establishments` are houses and tables, `attendants` the people who work there, `pseudonyms` the
names behind tokens; `acts` records what people do; `custody` and `game_streams` are streams of the
ledger; `home_throws` and `house_rules` are what a house plays by.
Uses `words` and `engine`. Begin with `establishments.models` and `acts.acts.perform`.
"""
