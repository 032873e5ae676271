"""Bytes as text."""

from __future__ import annotations

import base64


def in_base64(data: bytes) -> str:
    return base64.b64encode(data).decode()
