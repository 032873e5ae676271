"""Somebody with a browser, at a house in production: real requests, cookies, forms."""

from __future__ import annotations

import http.client
import json
import re
from html import unescape
from http.cookies import SimpleCookie
from typing import Any, NamedTuple
from urllib.parse import urlencode

HIDDEN = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)"')
PROXY = {"Host": "127.0.0.1", "X-Forwarded-Proto": "https"}


class Page(NamedTuple):
    status: int
    text: str
    headers: dict[str, str]


class Person:
    """A browser that keeps its cookies."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.cookies: dict[str, str] = {}

    def signs_in(self, username: str, password: str) -> Person:
        page = self.opens("/sign-in/")
        form = dict(HIDDEN.findall(page.text)) | {"username": username, "password": password}
        assert self._asks("POST", "/sign-in/", form).status == http.client.FOUND
        return self

    def opens(self, path: str, **headers: str) -> Page:
        return self._asks("GET", path, None, headers)

    def fills(self, path: str, **fields: str) -> Page:
        """Open a page with one form, fill it and send it."""
        page = self.opens(path)
        hidden = {name: unescape(value) for name, value in HIDDEN.findall(page.text)}
        return self._asks("POST", path, {**hidden, **fields})

    def _asks(
        self, method: str, path: str, form: Any = None, headers: dict[str, str] | None = None
    ) -> Page:
        kept = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        sent = {**PROXY, "Cookie": kept, "Referer": f"https://127.0.0.1{path}", **(headers or {})}
        body = None
        if form is not None:
            body = urlencode(form)
            sent["Content-Type"] = "application/x-www-form-urlencoded"
        web = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            web.request(method, path, body, sent)
            answer = web.getresponse()
            text = answer.read().decode(errors="replace")
            for line in answer.headers.get_all("Set-Cookie") or ():
                for name, morsel in SimpleCookie(line).items():
                    self.cookies[name] = morsel.value
            return Page(answer.status, text, dict(answer.headers))
        finally:
            web.close()


class Program:
    """A program with a token, which may say what it has seen."""

    def __init__(self, port: int, token: str) -> None:
        self.port, self.token = port, token

    def gets(self, path: str, **headers: str) -> tuple[Any, dict[str, str]]:
        sent = {**PROXY, "Authorization": f"Bearer {self.token}", **headers}
        web = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            web.request("GET", path, None, sent)
            answer = web.getresponse()
            return json.loads(answer.read()), dict(answer.headers)
        finally:
            web.close()
