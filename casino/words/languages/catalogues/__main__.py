"""
Brings the catalogues in `locale/` up to date with the source and compiles them.

    python -m casino.words.languages.catalogues            extract, merge, compile, count python -m
    casino.words.languages.catalogues --check    report only; exit status 1 if not up to date
"""

from __future__ import annotations

import sys

from casino.words.languages.catalogues import kept


def main(arguments: list[str]) -> int:
    stale = [each for each in kept.LANGUAGES if not kept.up_to_date(each)]
    if "--check" not in arguments:
        for each in kept.LANGUAGES:
            kept.brought_up_to_date(each)
        stale = []
    for each in kept.LANGUAGES:
        whole, floor = kept.missing(each), kept.missing_on_the_floor(each)
        state = "not up to date" if each in stale else "up to date"
        sys.stdout.write(
            f"{each}: {kept.size(each)} texts, {len(whole)} not translated,"
            f" {len(floor)} of them on the floor; {state}\n"
        )
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
