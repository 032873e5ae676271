"""Plots as inline SVG, without scripts, external resources or models. See css/plots.css."""
