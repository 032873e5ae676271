"""
What the house tells of itself: registers, the gaming day and its closing, exceptions, what-if.

`registers` are the reports, a module a subject, and what is out of the ordinary; `gaming_days`
closes days; `what_if` plays recorded evenings by other rules. Uses every district below it. Begin
with `registers.catalogue` and `gaming_days.closing`.
"""
