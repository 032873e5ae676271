"""
One way of working a page, whichever browser shows it.

`screen.Screen` is all that a test of several browsers asks of one: go somewhere, look into the
page, put a finger on it, type. `chromium` does it by Playwright, `webkit` and `firefox` by
WebDriver.
"""
