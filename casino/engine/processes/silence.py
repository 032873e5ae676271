"""
Timeouts for silent hosts: how long to wait for one before its connection counts as dead.

A host that dies, or a firewall that forgets a connection, tells nobody. By default TCP sends again
for a quarter of an hour, and probes an idle connection every two hours. That long a request would
wait, and PostgreSQL would keep the locks of a program that is gone. The timeouts are set on both
sides of a connection to the database, and on this side of a connection to the broker.
"""

from __future__ import annotations

import socket
from typing import Any, Final

SILENCE: Final = 6  # seconds after which a connection is dead; made up of:
IDLE, INTERVAL, COUNT = 3, 1, 3  # seconds before the first probe, between probes; probes
CONNECT: Final = 3  # seconds, for each address of a name
IDLE_IN_TRANSACTION: Final = 30  # seconds; whoever holds locks this long without a query hangs

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
"""Parameters of libpq; ``options`` are for the server's side."""

LETS_GO: Final = f"-c idle_in_transaction_session_timeout={IDLE_IN_TRANSACTION}s"
"""One more option, for connections that write. One that only reads holds nobody up."""

_OF_TCP: Final = {
    "TCP_KEEPIDLE": IDLE,
    "TCP_KEEPINTVL": INTERVAL,
    "TCP_KEEPCNT": COUNT,
    "TCP_USER_TIMEOUT": 1000 * SILENCE,
}

BROKER: Final[dict[str, Any]] = {
    "socket_connect_timeout": 1,
    # The sender of a wake has a command to answer, which is committed.
    "socket_timeout": 2,
    "socket_keepalive": True,
    # Not every operating system has all of these.
    "socket_keepalive_options": {
        getattr(socket, name): value for name, value in _OF_TCP.items() if hasattr(socket, name)
    },
}
"""Parameters of Redis's client, in seconds."""

HEALTH_CHECK: Final = 3  # seconds that the reply to a worker's health check may be overdue
