"""Whether this web process is about to end, which it tells load balancers beforehand."""

from __future__ import annotations

import threading
from typing import Final

DRAINING: Final = threading.Event()
