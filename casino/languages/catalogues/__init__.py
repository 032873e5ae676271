"""
Makes the translation catalogues in `locale/`: extracts texts from the source, merges, compiles.

For developers only: nothing that runs in production imports this package, so only developers need
Babel.
"""
