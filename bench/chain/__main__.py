"""
``python -m bench.chain``: what a chain of ten thousand houses needs, reckoned from measured parts.

    python -m bench.chain                              # tables; exit status 1 if the model is off
    python -m bench.chain --pictures docs/pictures     # and the pictures of docs/scale/needs.md
    python -m bench.chain --assumptions mine.toml --houses 40 --houses 300
    python -m bench.chain --quick                      # without failures, and shorter

First the model is held against what `bench.nodes` measured on this machine (`measured.json`): every
figure that it foresees has to be within 20 %. Then come sizes, what is full first, whether parts of
a chain behave as the whole, and what lost machines cost. Machines, prices and evenings are those of
`assumptions.toml`.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bench.chain import answers, evening, failures, parts, pictures, truth
from bench.figures import Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.chain.answers import Chain, Checked, Sized

COORDINATED: Final = "3"
DIRECT: Final = "3 direct"
PLAIN: Final = "plain"
"""One server that has all; taken for a house's own where that was not measured."""
HOUSES: Final = (1, 100, 1000, 10_000)
FULL: Final = 100_000  # throws a second
PARTS: Final = (1 / 8, 1 / 2, 1)
SHOWN: Final = 90  # seconds after a loss


def main() -> None:
    parser = argparse.ArgumentParser(description="Prints tables; see bench/README.md.")
    parser.add_argument("--measured", type=Path, default=parts.MEASURED)
    parser.add_argument("--assumptions", type=Path, default=parts.ASSUMPTIONS)
    parser.add_argument("--houses", type=int, action="append", help="how many; may be repeated")
    parser.add_argument(
        "--rate", type=float, default=FULL, help="throws a second of the full chain"
    )
    parser.add_argument("--pictures", type=Path, help="a folder")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    try:
        known, measured = parts.assumptions(options.assumptions), parts.Measured(options.measured)
        wrong = _held_against(measured)
        chain = _chain(known, measured)
    except parts.BadParts as why:
        sys.exit(str(why))
    sizes = [chain.sized(each) for each in options.houses or HOUSES]
    full = chain.sized(int(known.chain["houses"]), rate=options.rate)
    print(f"{answers.table([*sizes])}\n")
    print(f"{_full_table(full)}\n")
    print(f"{_limits(chain)}\n", flush=True)
    checked = list(chain.checked(full, PARTS[:1] if options.quick else PARTS))
    print(f"{_checked(checked)}\n", flush=True)
    lost = []
    for each in [] if options.quick else failures.failures(chain, full):
        lost.append(failures.lost(chain, full, each))
        print(f"{each.name}: done", file=sys.stderr, flush=True)
    if lost:
        print(f"{failures.table(lost)}\n")
    if options.pictures:
        _draw(options.pictures, chain, lost)
    if wrong:
        sys.exit(f"THE MODEL IS OFF by more than {truth.WITHIN:.0%} in {wrong} figures.")


def _held_against(measured: parts.Measured) -> int:
    """Print what the model foresees of this machine; how many figures are off."""
    model = truth.Model(measured, COORDINATED)
    rows = list(truth.compare(model))
    print(f"Parts measured on {measured.about}.\n\n{truth.table(rows, COORDINATED)}\n", flush=True)
    return sum(not each.holds for each in rows)


def _chain(known: parts.Assumptions, measured: parts.Measured) -> Chain:
    """The parts of a full machine: a chain's machines are kept busy."""
    through = measured.loads(COORDINATED)[truth.HEAVY]
    form = DIRECT if DIRECT in measured.forms() else PLAIN
    direct = measured.loads(form)[truth.HEAVY]
    return answers.Chain(
        known, parts.demands(through), parts.demands(direct, direct=True), direct,
        alone=parts.demands(measured.loads(PLAIN)[truth.HEAVY]).server,
        rest=measured.rest_of_a_house(),
    )  # fmt: skip


def _full_table(full: Sized) -> Table:
    table = answers.table([full])
    table.title = f"{full.houses:,} houses at {full.rate:,.0f} throws a second"
    return table


def _limits(chain: Chain) -> Table:
    table = Table("What there is one of, and when it is full", ("", "throws a second"))
    for name, rate in chain.limits():
        table.add(name, f"{rate:,.0f}")
    return table


def _checked(rows: Sequence[Checked]) -> Table:
    table = Table(
        "Parts of that chain, simulated throw by throw",
        ("one of", "throws a second", "web", "server", "workers", "p50, ms", "p95, ms",
         "settled p95, ms"),
    )  # fmt: skip
    for each in rows:
        table.add(
            f"{each.part:,.0f}", f"{each.rate:,.0f}", f"{each.web:.0%}", f"{each.server:.0%}",
            f"{each.workers:.0%}", f"{each.p50:.1f}", f"{each.p95:.1f}", f"{each.booked:.1f}",
        )  # fmt: skip
    return table


def _draw(folder: Path, chain: Chain, lost: Sequence[failures.Lost]) -> None:
    known = chain.known
    curve = evening.curve(known)
    pictures.draw(
        pictures.Plot(
            "A day of 10,000 houses", "hour, UTC", "throws a second", {"all houses": curve},
            {"everybody everywhere at once": known.full},
        ),
        folder / "scale-day.svg",
    )  # fmt: skip
    counts = [1, 3, 10, 30, 100, 300, 1000, 3000, 10_000]
    sized = [chain.sized(each) for each in counts]
    parted = {
        "web": [(one.houses, one.web_cores) for one in sized],
        "workers": [(one.houses, one.worker_cores) for one in sized],
        "houses' servers": [(one.houses, one.server_cores) for one in sized],
    }
    pictures.draw(
        pictures.Plot("Cores by the number of houses", "houses", "cores", parted, {}, log=True),
        folder / "scale-cores.svg",
    )
    limits = pictures.bars("What is full first, by powers of ten", "a second", chain.limits())
    (folder / "scale-limits.svg").write_text(limits, encoding="utf-8")
    if lost:
        shown = {
            each.name.partition(",")[0]: [point for point in each.series if 0 <= point[0] <= SHOWN]
            for each in lost
        }  # nobody is answered for all that time by a server without a standby
        lines = {name: points for name, points in shown.items() if points and points[-1][0] > 0}
        pictures.draw(
            pictures.Plot(
                "A machine is lost: waits of throws answered then", "seconds since then",
                "p95, ms", lines, {}, log=False,
            ),
            folder / "scale-lost.svg",
        )  # fmt: skip


if __name__ == "__main__":
    main()
