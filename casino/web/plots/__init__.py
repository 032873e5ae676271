"""Plots drawn here as inline SVG: no script, nothing from outside, no models. See css/plots.css."""
