# SPDX-License-Identifier: GPL-2.0-only
"""What was done and found, as text and JSON; and shards' results as one."""

import json
import os

FILE = "summary.json"


class Summary:
    """Of one fuzzing, or of several merged."""

    def __init__(self, what, seed=None):
        self.what = what            # in words
        self.seed = seed            # None: several
        self.runs = self.issued = self.boots = 0
        self.seconds = self.guest_seconds = 0.0
        self.pairs = {}             # "CALL FAMILY" -> {code: count}
        self.served = {}            # by whom -> [calls, microseconds]
        self.findings = {}          # signature -> {title, directory, count}
        self.known = {}             # heading -> count

    def add_outcome(self, outcome):
        self.runs += 1
        self.issued += outcome.issued
        self.guest_seconds += outcome.seconds
        self.add_pairs({" ".join(key): row for key, row in outcome.pairs.items()})
        self.add_served(outcome.served)

    def add_pairs(self, pairs):
        for call, row in pairs.items():
            mine = self.pairs.setdefault(call, {})
            for code, count in row.items():
                mine[code] = mine.get(code, 0) + count

    def add_served(self, served):
        for whom, (calls, us) in served.items():
            mine = self.served.setdefault(whom, [0, 0])
            mine[0] += calls
            mine[1] += us

    def add_finding(self, signature, title, directory, count=1):
        row = self.findings.setdefault(signature, {"title": title, "directory": directory,
                                                   "count": 0})
        row["count"] += count

    def add_known(self, heading, count=1):
        self.known[heading] = self.known.get(heading, 0) + count

    @property
    def coverage(self):
        """How many pairs of a call and a code there were."""
        return sum(len(row) for row in self.pairs.values())

    @property
    def rate(self):
        """Calls a second, of the time that guests were making them."""
        return self.issued / self.guest_seconds if self.guest_seconds else 0.0

    def rate_of(self, whom):
        """Calls a second of those that WHOM served, each with its drawing and its checks."""
        calls, us = self.served.get(whom, (0, 0))
        return calls * 1e6 / us if us else 0.0

    def line(self):
        return (f"{self.runs} runs  {self.issued} calls  {self.rate:.0f}/s "
                f"(kvm {self.rate_of('kvm'):.0f}, monitor {self.rate_of('monitor'):.0f})  "
                f"{self.coverage} pairs  {len(self.findings)} findings  "
                f"{sum(self.known.values())} known")

    def asdict(self):
        rates = {whom: round(self.rate_of(whom), 1) for whom in self.served}
        return {**self.__dict__, "rate": round(self.rate, 1), "rates": rates,
                "coverage": self.coverage}

    def text(self):
        lines = [self.what, self.line(), ""]
        for call, row in sorted(self.pairs.items()):
            codes = sorted(row.items(), key=lambda pair: -pair[1])
            lines.append(f"{call:40} " + " ".join(f"{code}={n}" for code, n in codes))
        for row in self.findings.values():
            lines.append(f"finding, {row['count']} times: {row['title']}; {row['directory']}")
        for heading, count in self.known.items():
            lines.append(f"known, {count} times: {heading}")
        return "\n".join(lines) + "\n"

    def save(self, directory):
        """Each file is the one before or this one, whenever it is read."""
        os.makedirs(directory, exist_ok=True)
        for name, text in ((FILE, json.dumps(self.asdict(), indent=1) + "\n"),
                           ("summary.txt", self.text())):
            path = os.path.join(directory, name)
            with open(f"{path}.new", "w", encoding="utf-8") as f:
                f.write(text)
            os.replace(f"{path}.new", path)


def merge(directories):
    """The summary of all of them. ValueError if one has none."""
    total = Summary(f"{len(directories)} shards")
    for directory in directories:
        path = os.path.join(directory, FILE)
        try:
            with open(path, encoding="utf-8") as f:
                part = json.load(f)
            total.runs += part["runs"]
            total.issued += part["issued"]
            total.boots += part["boots"]
            total.guest_seconds += part["guest_seconds"]
            # They ran at the same time.
            total.seconds = max(total.seconds, part["seconds"])
            total.add_pairs(part["pairs"])
            total.add_served(part["served"])
            for signature, row in part["findings"].items():
                total.add_finding(signature, row["title"], row["directory"], row["count"])
            for heading, count in part["known"].items():
                total.add_known(heading, count)
            # Numbers that make no rate
            total.asdict()
        except (OSError, ValueError, KeyError, TypeError, AttributeError, OverflowError) as e:
            raise ValueError(f"{path}: {getattr(e, 'strerror', None) or e}") from None
    return total
