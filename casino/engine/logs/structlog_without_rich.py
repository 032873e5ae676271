"""
Imports structlog without rich. structlog imports rich wherever it is installed, as the tests' tools
do: sixty modules, for tracebacks that no line of ours contains.
"""

import sys

there = sys.modules.get("rich")
sys.modules["rich"] = there  # type: ignore[assignment]  # None: not to be imported
try:
    import structlog
finally:
    if there is None:
        del sys.modules["rich"]

__all__ = ["structlog"]
