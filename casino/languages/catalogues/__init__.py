"""
How the catalogues in `locale/` are made: extracted from the source, compiled, compared.

For developers: nothing that runs the house imports this, so that Babel is needed by nobody else.
"""
