"""
gunicorn's worker with threads, which reads requests by itself and goes on for a while when it ends.

gunicorn gives a connection to a thread before the request has come, so a few clients that drip
their headers or their body stop a process. Here a request is read first, without a thread, within
`READ_WITHIN` and of at most `HEAD_MOST` and `BODY_MOST`; a thread gets what is whole. An answer
that nobody takes for `WRITTEN_WITHIN` is given up.

A load balancer sends requests to a web process that has ended until it looks again, and those are
lost with their connections. So on SIGTERM a process first says at ``/healthz/web`` that it is
draining and answers everything for `WEB_DRAIN` seconds, in which the load balancer looks. Then it
ends as gunicorn's worker does: it finishes what it is about.
"""

from __future__ import annotations

import re
import selectors
import socket
import threading
import time
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from gunicorn.workers.gthread import ThreadWorker  # type: ignore[import-untyped]  # has no types

from casino.config.environment import BODY_MOST, HEAD_MOST, READ_WITHIN, WRITTEN_WITHIN
from casino.config.gunicorn import DRAIN
from casino.engine.processes.stopping import DRAINING

if TYPE_CHECKING:
    from collections.abc import Callable

AT_ONCE: Final = 65_536  # bytes
LENGTH: Final = re.compile(rb"\r\ncontent-length:[ \t]*+0*+([0-9]*+)[ \t]*+\r\n", re.IGNORECASE)
DIGITS_MOST: Final = 18  # of a length that is read; more are more than `BODY_MOST` in any case
EXPECTS: Final = re.compile(rb"\r\nexpect:[ \t]*100-continue", re.IGNORECASE)
CLOSED_WITHIN: Final = 2.0  # seconds
END_OF_HEAD: Final = b"\r\n\r\n"


class Worker(ThreadWorker):  # type: ignore[misc]  # as above
    def handle_exit(self, *signal: Any) -> None:
        """On SIGTERM, which systemd and gunicorn's parent both send: the first one counts."""
        if DRAINING.is_set():
            return
        DRAINING.set()
        later = threading.Timer(DRAIN, super().handle_exit, signal)
        later.daemon = True
        later.start()

    def enqueue_req(self, conn: Any) -> None:
        """Read a request of a new or a kept connection; a thread gets the connection then."""
        conn.timeout = time.monotonic() + READ_WITHIN
        conn.came = bytearray(conn.parser.unreader.take_buffered() if conn.parser else b"")
        conn.needs = size_to_read(conn.came)
        conn.sock.settimeout(0)
        self._read(conn)

    def on_pending_socket_readable(self, conn: Any, client: Any) -> None:
        self.poller.unregister(client)
        self.pending_conns.remove(conn)
        self._read(conn)

    def murder_pending(self) -> None:
        """Close connections whose request has not come in time, or not begun when it all ends."""
        now = time.monotonic()
        for conn in [
            each
            for each in self.pending_conns
            if each.timeout <= now or not (self.alive or each.came)
        ]:
            self.pending_conns.remove(conn)
            self.poller.unregister(conn.sock)
            self._close(conn)

    def handle_request(self, req: Any, conn: Any) -> Any:
        conn.sock.settimeout(WRITTEN_WITHIN)
        headers = dict(req.headers)
        if "TRANSFER-ENCODING" in headers or int(headers.get("CONTENT-LENGTH", 0)) > BODY_MOST:
            req.force_close()  # it is refused, and the rest of its body is read by nobody
        return super().handle_request(req, conn)

    def finish_request(self, conn: Any, result: Any) -> None:
        """Close a connection without waiting for its client, which gunicorn would do here."""
        if result.cancelled() or result.exception() is not None or result.result():
            super().finish_request(conn, result)
            return
        try:
            conn.sock.shutdown(socket.SHUT_WR)
            conn.sock.settimeout(0)
        except OSError:
            self._close(conn)
            return
        conn.timeout, conn.came = time.monotonic() + CLOSED_WITHIN, b""
        self._wait(conn, partial(self._drop, conn))

    def _read(self, conn: Any) -> None:
        """Take what has come; wait for more, unless the request is whole or has to be refused."""
        had_no_head = conn.needs is None
        try:
            came = b"" if is_whole(conn) else conn.sock.recv(AT_ONCE)
        except BlockingIOError:
            came = None
        except OSError:
            self._close(conn)
            return
        conn.came += came or b""
        if had_no_head:
            conn.needs = size_to_read(conn.came)
        if (came == b"" and not conn.came) or has_no_end(conn.came):
            self._close(conn)
        elif came == b"" or is_whole(conn):
            conn.init()
            conn.parser.unreader.unread(bytes(conn.came))
            conn.came = b""  # a kept connection keeps no body
            super().enqueue_req(conn)
        else:
            waits = had_no_head and conn.came.endswith(END_OF_HEAD)
            if waits and EXPECTS.search(conn.came):
                with suppress(OSError):
                    conn.sock.send(b"HTTP/1.1 100 Continue\r\n\r\n")
            self._wait(conn, partial(self.on_pending_socket_readable, conn))

    def _wait(self, conn: Any, readable: Callable[[Any], None]) -> None:
        self.pending_conns.append(conn)
        self.poller.register(conn.sock, selectors.EVENT_READ, readable)

    def _drop(self, conn: Any, client: Any) -> None:
        """Read what comes after the last answer, until the client has closed, too."""
        with suppress(OSError):
            if client.recv(AT_ONCE):
                return
        self.poller.unregister(client)
        self.pending_conns.remove(conn)
        self._close(conn)

    def _close(self, conn: Any) -> None:
        self.nr_conns -= 1
        conn.close()


def has_no_end(came: bytes | bytearray) -> bool:
    """Whether the head of a request is longer than any is."""
    return len(came) > HEAD_MOST and came.find(END_OF_HEAD, 0, HEAD_MOST) < 0


def is_whole(conn: Any) -> bool:
    return conn.needs is not None and len(conn.came) >= conn.needs


def size_to_read(came: bytes | bytearray) -> int | None:
    """
    How many bytes a thread needs to answer; None: the head of the request has not come.

    They are the whole request, or its head if it is refused unread: it is too large, or its body
    comes in chunks (`casino.config.incoming`). This is looked up once for a request, as it takes
    time: a body may come byte by byte.
    """
    end = came.find(END_OF_HEAD)
    if end < 0:
        return None
    length = LENGTH.search(came, 0, end + len(b"\r\n"))
    body = int(length[1][:DIGITS_MOST] or 0) if length else 0
    return end + len(END_OF_HEAD) + (body if body <= BODY_MOST else 0)
