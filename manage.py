#!/usr/bin/env python
"""The house's commands, from its source; installed, the same are called `home-throw`."""

from casino.engine.processes.command import main

if __name__ == "__main__":
    main()
