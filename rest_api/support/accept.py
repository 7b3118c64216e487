"""What a client takes: the header `Accept` (RFC 9110, 12.5.1)."""

import re

MAX_HEADER_LENGTH = 2_000
"""Characters that are looked at. Browsers send less than two hundred."""
WEIGHT = re.compile(r"q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)", re.ASCII)


def accepted(header: str | None) -> dict[str, float]:
    """How much each media type is wanted, by its name in lower case."""
    weights: dict[str, float] = {}
    if not header:
        return weights
    for offer in header[:MAX_HEADER_LENGTH].lower().replace(" ", "").split(","):
        name, *parameters = offer.split(";")
        told = [float(weight[1]) for one in parameters if (weight := WEIGHT.fullmatch(one))]
        weights[name] = max(weights.get(name, 0.0), *told or (1.0,))
    return weights
