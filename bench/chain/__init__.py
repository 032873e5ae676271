"""
A chain of ten thousand houses that nobody has here, reckoned from parts that were measured.

``measured.json`` is what `bench.nodes` and others found on this machine; ``assumptions.toml`` is
what nobody measured. `model` plays throws on servers as discrete events (`engine`), `truth` holds
it against what was measured, `answers` sizes a chain by it, `failures` loses machines,
`pictures` draws.
"""
