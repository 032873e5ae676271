"""
Makes the translation catalogues in `locale/`: extracts texts from the source, merges, compiles.

For developers only, so only developers need Babel. One module is used in production, too:
`sentences`, by which the room offline knows what the rules of a game may say.
"""
