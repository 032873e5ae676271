"""
A socket that packets do not reach any more, as where a host is gone or a firewall forgot.

Linux drops what comes in before TCP sees it: nothing is acknowledged, nobody is refused, and
whoever sends or connects hears nothing. ``SO_ATTACH_FILTER``, socket(7); classic BPF.
"""

from __future__ import annotations

import ctypes
import socket
import struct
from typing import Protocol

ATTACH, DETACH = 26, 27  # asm-generic/socket.h; Python has no names for them
RETURN_NOTHING = struct.pack("HBBI", 0x06, 0, 0, 0)  # BPF_RET | BPF_K, 0 bytes of the packet


class Socket(Protocol):
    """What asyncio shows of a socket will do."""

    def setsockopt(self, level: int, name: int, value: int | bytes, /) -> None: ...


def drop(of: Socket) -> None:
    """:raises OSError: if it is closed."""
    instructions = ctypes.create_string_buffer(RETURN_NOTHING, len(RETURN_NOTHING))
    program = struct.pack("HP", 1, ctypes.addressof(instructions))
    of.setsockopt(socket.SOL_SOCKET, ATTACH, program)


def pass_on(of: Socket) -> None:
    """:raises OSError: if it is closed, or nothing was dropped."""
    of.setsockopt(socket.SOL_SOCKET, DETACH, 0)
