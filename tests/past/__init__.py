"""
Writes the past of the demo house: five weeks of evenings, as `casino/demo/past.zip` holds them.

    python -m tests.past --write

plays them through the operations that every surface uses, under a clock and a chance of its own,
and exports the house. The same seed gives the same bytes. `casino.demo.past` imports the result.
Begin with `weeks.play`; `incidents.py` says what happens on which evening.
"""
