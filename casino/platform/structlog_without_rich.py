"""
structlog without rich, which it takes in wherever something else has brought it, as the tests'
tools have: sixty modules for tracebacks that no line of ours draws.
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
