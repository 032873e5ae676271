"""
Charts as inline SVG, without external resources or models. See css/plots.css and js/charts.js.

Begin with `charts`. Every chart works without a script: its figures are tooltips and a table.
"""
