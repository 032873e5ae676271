"""The start page: one for each role, of the same parts; what it shows and when that moves."""
