# SPDX-License-Identifier: GPL-2.0-only
"""Figures: printed one a line, and written as JSON under build/bench."""

import json
import os
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OUT = os.path.join(TOP, "build/bench")


class Figures:
    """A set of figures, each with its peer's and its target if it has them."""

    def __init__(self, name):
        self.path = os.path.join(OUT, name + ".json")
        self.about, self.list, self.missed = {}, [], []

    def add(self, name, value, unit, peer=None, most=None, most_ratio=None, least=None,
            spread=None):
        """Print a figure. PEER is (name, value); MOST, MOST_RATIO and LEAST are targets.

        SPREAD, for what has one, is where the middle half of the measurements lies.
        """
        figure = {"name": name, "value": value, "unit": unit}
        if spread:
            figure["spread"] = spread
        line = f"{name} {value} {unit}"
        if peer:
            ratio = value / peer[1]
            figure.update(peer=peer[0], peer_value=peer[1], ratio=float(f"{ratio:.4g}"))
            line += f" {ratio:.4g} {peer[0]}"
            if most_ratio:
                figure["most_ratio"] = most_ratio
                if ratio > most_ratio:
                    self.missed.append(f"{name}: {ratio:.3f} of {peer[0]}'s, "
                                       f"target {most_ratio:.3f}")
        if most:
            figure["most"] = most
            if value > most:
                self.missed.append(f"{name}: {value} {unit}, target {most}")
        if least:
            figure["least"] = least
            if value < least:
                self.missed.append(f"{name}: {value} {unit}, target at least {least}")
        self.list.append(figure)
        print(line, flush=True)
        return value

    def end(self):
        """Write the file and name what missed its target; the exit status."""
        os.makedirs(OUT, exist_ok=True)
        with open(self.path + ".new", "w", encoding="utf-8") as f:
            json.dump({"about": self.about, "figures": self.list, "missed": self.missed}, f,
                      indent=1)
            f.write("\n")
        os.replace(self.path + ".new", self.path)
        for text in self.missed:
            print(f"bench: misses its target: {text}", file=sys.stderr)
        return 1 if self.missed else 0
