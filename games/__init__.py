"""The rules of the games, in pure Python: no Django, clock, random numbers, files or logging."""
