"""The rules of the games: pure Python. No Django, clock, chance, files or logging."""
