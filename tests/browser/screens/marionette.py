"""
The remote end of a WebDriver client, where it is Firefox itself.

WebDriver for Firefox usually goes through geckodriver, which turns each request into a message of
Marionette, the protocol that Firefox speaks on a socket, and back. Debian has no geckodriver. The
messages bear the names of WebDriver and the same fields, so that little is left to turn.
"""

from __future__ import annotations

import json
import socket
from typing import TYPE_CHECKING, Any

from selenium.webdriver.remote.command import Command

from tests import processes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

ANSWERED_WITHIN = 120.0  # seconds; a page takes that long on a machine that does much else
MESSAGES = {
    Command.GET: "WebDriver:Navigate",
    Command.GET_CURRENT_URL: "WebDriver:GetCurrentURL",
    Command.REFRESH: "WebDriver:Refresh",
    Command.GO_BACK: "WebDriver:Back",
    Command.W3C_EXECUTE_SCRIPT: "WebDriver:ExecuteScript",
    Command.W3C_EXECUTE_SCRIPT_ASYNC: "WebDriver:ExecuteAsyncScript",
    Command.W3C_ACTIONS: "WebDriver:PerformActions",
    Command.W3C_CLEAR_ACTIONS: "WebDriver:ReleaseActions",
    Command.SET_WINDOW_RECT: "WebDriver:SetWindowRect",
    Command.GET_WINDOW_RECT: "WebDriver:GetWindowRect",
    Command.SCREENSHOT: "WebDriver:TakeScreenshot",
    Command.PRINT_PAGE: "WebDriver:Print",
    Command.DELETE_ALL_COOKIES: "WebDriver:DeleteAllCookies",
    Command.ADD_VIRTUAL_AUTHENTICATOR: "WebAuthn:AddVirtualAuthenticator",
    Command.NEW_SESSION: "WebDriver:NewSession",
    Command.QUIT: "WebDriver:DeleteSession",
}


class Marionette:
    """
    :param port: where Firefox listens, on this machine.
    :param lives: whether its process is still there.
    """

    def __init__(self, port: int, lives: Callable[[], bool]) -> None:
        self._number = 0
        self._socket = self._connected(port, lives)
        self._read = self._socket.makefile("rb")
        self._message()  # it says who it is

    @staticmethod
    def _connected(port: int, lives: Callable[[], bool]) -> socket.socket:
        found: list[socket.socket] = []

        def connects() -> bool:
            assert lives(), "Firefox has ended"
            try:
                found.append(socket.create_connection(("127.0.0.1", port), ANSWERED_WITHIN))
            except OSError:
                return False
            return True

        processes.eventually(connects)
        return found[0]

    def execute(self, command: str, params: Mapping[str, Any]) -> dict[str, Any]:
        """As selenium's own connection: the answer's value, or what WebDriver says of a failure."""
        given = {name: value for name, value in params.items() if name != "sessionId"}
        if command == Command.NEW_SESSION:
            given = {"unhandledPromptBehavior": "accept"}
        elif command == Command.SCREENSHOT:
            given = {"full": False}
        self._number += 1
        self._send([0, self._number, MESSAGES[command], given])
        _kind, number, failure, result = self._message()
        assert number == self._number
        if failure:
            return {"status": 500, "value": json.dumps({"value": failure})}
        if command == Command.NEW_SESSION:
            return {"value": result}
        whole = isinstance(result, dict) and set(result) == {"value"}
        return {"value": result["value"] if whole else result}

    def close(self) -> None:
        self._read.close()
        self._socket.close()

    def _send(self, message: list[Any]) -> None:
        text = json.dumps(message).encode()
        self._socket.sendall(b"%d:%b" % (len(text), text))

    def _message(self) -> Any:
        """Each message has its length in bytes before it."""
        length = b""
        while (byte := self._read.read(1)) != b":":
            assert byte, "Firefox has hung up"
            length += byte
        return json.loads(self._read.read(int(length)))
