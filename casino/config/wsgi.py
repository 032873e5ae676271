"""The WSGI application, for both waitress (embedded) and gunicorn (production)."""

import os
from typing import Any

from django.core.handlers.wsgi import WSGIRequest
from django.core.wsgi import get_wsgi_application
from django.utils.http import parse_header_parameters

from casino.config.environment import KIND_MOST

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.config.settings")


class Request(WSGIRequest):
    """
    A request in UTF-8, whatever it says; the gate (`casino.config.incoming`) refuses another.

    Django would read its query in that encoding before any middleware could refuse it, and Python
    knows some that are none of text. It would also read a long Content-Type, in a time that grows
    with the square of its length; the gate refuses one.
    """

    def _set_content_type_params(self, meta: dict[str, Any]) -> None:
        written = meta.get("CONTENT_TYPE", "")
        read = written if len(written) <= KIND_MOST else ""
        self.content_type, self.content_params = parse_header_parameters(read)


application = get_wsgi_application()
application.request_class = Request
