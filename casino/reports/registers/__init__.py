"""The reports of the house, one module each."""
