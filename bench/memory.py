"""Memory of running programs from ``/proc``: PSS, so that shared pages are counted once."""

from pathlib import Path


def of_tree(pid: int) -> dict[int, float]:
    """PSS in MB of a process and its descendants, by process, parents before children."""
    return {each: pss(each) for each in tree(pid)}


def tree(pid: int) -> list[int]:
    """A process and its descendants; empty if the process has ended."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except (FileNotFoundError, ProcessLookupError):
        return []
    return [pid, *(each for child in children for each in tree(int(child)))]


def pss(pid: int) -> float:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    [line] = [line for line in lines if line.startswith("Pss:")]
    return int(line.split()[1]) / 1024
