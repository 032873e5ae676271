"""
How long a host that says nothing is waited for; then it is taken for gone, and asked anew.

A host that dies, or a firewall that forgets a connection, tells nobody. Left to itself TCP sends
again for a quarter of an hour, and looks after an idle connection every two hours; so long a
request would wait, and a backend of PostgreSQL keep the locks of a program that is gone. Both sides
of a connection to the database are told, and this side of one to the broker.
"""

from __future__ import annotations

import socket
from typing import Any, Final

SILENCE: Final = 6  # seconds after which a connection is dead; of these
IDLE, INTERVAL, COUNT = 3, 1, 3  # before it is asked for, between two times, and how often
CONNECT: Final = 3  # seconds, for each address that a name has
IDLE_IN_TRANSACTION: Final = 30  # seconds; who has locks and asks nothing is stopped, or hangs

POSTGRESQL: Final[dict[str, Any]] = {
    "connect_timeout": CONNECT,
    "keepalives_idle": IDLE,
    "keepalives_interval": INTERVAL,
    "keepalives_count": COUNT,
    "tcp_user_timeout": 1000 * SILENCE,  # ms
    "options": (
        f"-c tcp_keepalives_idle={IDLE} -c tcp_keepalives_interval={INTERVAL}"
        f" -c tcp_keepalives_count={COUNT} -c tcp_user_timeout={1000 * SILENCE}"
    ),
}
"""libpq's parameters; ``options`` are for the server's side."""

LETS_GO: Final = f"-c idle_in_transaction_session_timeout={IDLE_IN_TRANSACTION}s"
"""One option more for those who write. Who reads only holds nobody up."""

_OF_TCP: Final = {
    "TCP_KEEPIDLE": IDLE,
    "TCP_KEEPINTVL": INTERVAL,
    "TCP_KEEPCNT": COUNT,
    "TCP_USER_TIMEOUT": 1000 * SILENCE,
}

BROKER: Final[dict[str, Any]] = {
    "socket_connect_timeout": 1,
    # Whoever sends a wake has a command to answer, which is committed.
    "socket_timeout": 2,
    "socket_keepalive": True,
    # Not every system has all of them.
    "socket_keepalive_options": {
        getattr(socket, name): value for name, value in _OF_TCP.items() if hasattr(socket, name)
    },
}
"""Of Redis's client, in seconds."""

HEALTH_CHECK: Final = 3  # seconds that a worker's own question to the broker may be overdue
