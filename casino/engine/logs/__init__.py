"""
Log lines: what is in them, and a thread that writes them. `health` within it has the rows that say
when workers and beats were last seen.
"""
