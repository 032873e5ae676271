"""The renderer of JSON responses, which also takes text that is JSON already."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rest_framework.renderers import JSONRenderer

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Written:
    """An answer that is JSON text already. :param text: compact JSON."""

    text: str


class JSON(JSONRenderer):
    """Renders data as Django REST framework does, and `Written` unchanged."""

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        if isinstance(data, Written):
            if self.get_indent(accepted_media_type or "", renderer_context or {}) is None:
                # as the framework does, so that the text is valid JavaScript too
                text = data.text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
                return text.encode()
            data = json.loads(data.text)
        written: bytes = super().render(data, accepted_media_type, renderer_context)
        return written
