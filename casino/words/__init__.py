"""
How things are said: text, languages with their amounts and dates, and each game in words.

`text` are names and letters, `languages` the reader's language and the house's money, `presenters`
what a game's events, hands and rules are called.
Uses `engine`. Begin with `languages.amounts` and `presenters.presenter`.
"""
