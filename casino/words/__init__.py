"""
How things are said: text, languages with their amounts and dates, and each game in words.

`languages` are the reader's language, the house's money, names and letters, `presenters` what a
game's events, hands and rules are called. Uses `engine`. Begin with `languages.amounts` and
`presenters.presenter`.
"""
