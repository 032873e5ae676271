"""
The house: its rows, its people, its rules in force, and how what they do comes into the ledger.

`establishments` are houses and tables, `attendants` the people who work there and the names behind
tokens; `acts` records what people do; `home_throws` are what a house plays by, with its rules.
Uses `words` and `engine`. Begin with `establishments.models` and `acts.acts.perform`.
"""
