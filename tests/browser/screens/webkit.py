"""WebKit as Debian builds it for GTK, by its own driver: the engine of every browser on an iPad."""

from __future__ import annotations

import os
import re
import subprocess
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from PIL import ImageGrab
from selenium.webdriver.remote.client_config import ClientConfig
from selenium.webdriver.remote.remote_connection import RemoteConnection
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.webkitgtk.options import Options
from selenium.webdriver.webkitgtk.service import Service

from tests import webkit
from tests.browser.screens.webdriver import Driven

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# What the browser itself says of an answer that is no 200: the pages say it in a sentence.
STATUS = re.compile(r"Failed to load resource|status of (409|422|40[134])|due to access control")


class WebKit(Driven):
    name = "WebKit"
    by_touch = False  # its driver turns a finger into the mouse

    def __init__(self, driver: WebDriver, display: str, log: Path) -> None:
        super().__init__(driver)
        self._display, self._log = display, log

    def picture(self, file: Path) -> None:
        """Of the X server's screen: the driver's own picture waits for a compositor for ever."""
        ImageGrab.grab(xdisplay=self._display).save(file)

    def wrong(self) -> list[str]:
        told = self._log.read_text(errors="replace").splitlines()
        errors = [line for line in told if line.startswith("CONSOLE") and " ERROR " in line]
        return [line for line in errors if not STATUS.search(line)]


@contextmanager
def a_display(width: int, height: int) -> Iterator[str]:
    """An X server that nobody sees, under a number that is free."""
    read, write = os.pipe()
    command = [webkit.SCREEN, "-displayfd", str(write), "-nolisten", "tcp",
               "-screen", "0", f"{width}x{height}x24"]  # fmt: skip
    server = subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    try:
        with os.fdopen(read) as number:
            yield f":{number.readline().strip()}"
    finally:
        server.terminate()
        server.wait()


@contextmanager
def opened(width: int, height: int, folder: Path) -> Iterator[WebKit]:
    """A window of this size, in CSS pixels, that remembers nothing of others."""
    options = Options()
    options.binary_location = webkit.window() or ""
    options.add_argument("--automation")
    options.add_argument("--enable-write-console-messages-to-stdout=true")
    with ExitStack() as stack:
        display = stack.enter_context(a_display(width + 200, height + 200))
        log = folder / "webkit.log"
        env = {**os.environ, "DISPLAY": display, "GDK_BACKEND": "x11", "LIBGL_ALWAYS_SOFTWARE": "1"}
        service = Service(webkit.find() or "", env=env, log_output=str(log))
        service.start()
        stack.callback(service.stop)
        where = RemoteConnection(client_config=ClientConfig(service.service_url))
        screen = WebKit(WebDriver(where, options=options), display, log)
        stack.callback(screen.closes)
        screen.resizes(width, height)
        yield screen
