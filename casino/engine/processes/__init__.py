"""
A program of the house: its command line, files, memory, signals, start and stop. `queues` within it
wakes workers, and lets rooms register how they read an event.
"""
