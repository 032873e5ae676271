"""People of the office who open pages: signed in by cookie, they follow links at random."""

from __future__ import annotations

import http.cookiejar
import re
import time
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.request import HTTPCookieProcessor, Request, build_opener

if TYPE_CHECKING:
    from random import Random

FAULT = 500  # HTTP statuses from here on are faults of the house
TIMEOUT = 60  # seconds; a report about a year takes long
BORED = 1 / 8  # of steps begin again at the start page
ELSEWHERE = ("/static/", "/sign-out/", "/admin/")
LINK = re.compile(r"""\bhref=["']([^"'#]+)""")
TOKEN = re.compile(r"""name=["']csrfmiddlewaretoken["'] value=["']([^"']+)""")


@dataclass
class Visitor:
    """
    A signed-in member of staff.

    :param address: the house's, as ``http://127.0.0.1:8000/``.
    :param opened: how many answers came, by status.
    :param took: the longest time that each page took, in seconds, by its path.
    """

    address: str
    username: str
    password: str
    chance: Random
    opened: dict[int, int] = field(default_factory=dict)
    took: dict[str, float] = field(default_factory=dict)
    _here: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """
        Sign in.

        :raises ValueError: if the house refuses.
        """
        # A house in production sets its cookies for https only; here no proxy stands before it.
        policy = http.cookiejar.DefaultCookiePolicy(secure_protocols=("http", "https"))
        self._cookies = http.cookiejar.CookieJar(policy)
        self._opener = build_opener(HTTPCookieProcessor(self._cookies))
        page = self._read("/sign-in/")
        found = TOKEN.search(page)
        if found is None:
            raise ValueError("The sign-in page has no form.")
        self._read(
            "/sign-in/",
            csrfmiddlewaretoken=found[1], username=self.username, password=self.password,
        )  # fmt: skip
        if not any(cookie.name.endswith("sessionid") for cookie in self._cookies):
            raise ValueError(f"{self.username} was not let in.")

    @property
    def failed(self) -> int:
        """The number of answers that were server errors, or did not come."""
        return sum(count for status, count in self.opened.items() if not 0 < status < FAULT)

    def opens_all(self, path: str) -> None:
        """Open a page, and all that it links to, once each."""
        for each in self._links(self._read(path), path):
            self._read(each)

    def step(self) -> None:
        """Open a page or a file to which the last page links."""
        start_anew = not self._here or self.chance.random() < BORED
        path = "/" if start_anew else self.chance.choice(self._here)
        links = self._links(self._read(path), path)
        if links:
            self._here = links

    def _links(self, page: str, path: str) -> list[str]:
        """The addresses of this house in a page, each once."""
        links = (each.replace("&amp;", "&") for each in LINK.findall(page))
        met = (urllib.parse.urljoin(path, each) for each in links)
        here = {each for each in met if each.startswith("/") and not each.startswith(ELSEWHERE)}
        return sorted(here)

    def _read(self, path: str, **form: str) -> str:
        """The page's text; "" for a file or if there is no answer."""
        url = urllib.parse.urljoin(self.address, path)
        body = urllib.parse.urlencode(form).encode() if form else None
        request = Request(url, body, {"Referer": url})  # noqa: S310 - a house that was started here
        began = time.monotonic()
        try:
            with self._opener.open(request, timeout=TIMEOUT) as answer:
                read = answer.read()
                self._count(answer.status)
                is_page = answer.headers.get_content_type() == "text/html"
                return read.decode() if is_page else ""
        except urllib.error.HTTPError as problem:
            self._count(problem.code)
        except OSError:
            self._count(0)
        finally:
            took = time.monotonic() - began
            self.took[path] = max(took, self.took.get(path, 0.0))
        return ""

    def _count(self, status: int) -> None:
        self.opened[status] = self.opened.get(status, 0) + 1
