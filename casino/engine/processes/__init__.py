"""A program of the house: its command line, files, memory, signals, start and stop."""
