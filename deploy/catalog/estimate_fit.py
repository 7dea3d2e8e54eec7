"""Fits alpha, beta and gamma of decode_step to measured rates, and measures what the fits miss of rates left out of them.

Fits go from the general to the particular: over all devices, by maker, by device; replicas of several PCIe cards apart.
A fit minimises
  sum over points (1 / points of its group) sqrt(r^2 + 0.05^2) + h |x - x_parent|^2,    r = log(predicted / measured),
a rounded absolute error (Charbonnier et al. 1994): points far off do not bend it. A group is one model on one device; each
counts once. x = (logit alpha, logit beta, log gamma) keeps the factors within 0 < alpha < 1, 0 < beta < 1, gamma > 0; the
second term holds factors that the points do not determine near those of the fit above: h = 0.5, and 0.1 for PCIe, which is
another thing than the fit above it. Nelder and Mead (1965) find the minimum, always on the same path. Standard library only.
"""
import collections
import dataclasses
import math

from estimate_points import predict

START = (0.8, 0.3, 70e-6)  # the defaults of model.md, section 4
ROUNDING = 0.05
HOLD, HOLD_PCIE = 0.5, 0.1
CURVE_POINTS = 4  # a device has a fit of its own from this many points of one model, device count and precision
MAKER_GROUPS = 2
GOAL = (0.8, 1.3)  # predicted / measured


@dataclasses.dataclass(frozen=True)
class Fit:
    scope: tuple  # ("all",), ("pcie",), ("maker", vendor) or ("device", id)
    factors: tuple  # alpha, beta, gamma in s
    groups: int
    points: int
    ratios: tuple  # predicted / measured of its points, each with its group left out, sorted


@dataclasses.dataclass(frozen=True)
class Miss:
    point: object
    scope: tuple  # of the most particular fit that had enough data without the point's group
    ratio: float  # predicted / measured


def minimum(cost, start, step=0.3, steps=400, tolerance=1e-12):
    """Nelder and Mead, The Computer Journal 7 (1965): a simplex moves and shrinks to where the cost is least."""
    size = len(start)
    simplex = [(cost(start), start)]
    for index in range(size):
        corner = tuple(value + step * (index == other) for other, value in enumerate(start))
        simplex.append((cost(corner), corner))
    for _ in range(steps):
        simplex.sort()
        best, worst = simplex[0], simplex[-1]
        if worst[0] - best[0] < tolerance:
            break
        middle = [sum(corner[index] for _, corner in simplex[:-1]) / size for index in range(size)]

        def at(distance):
            corner = tuple(mean + distance * (mean - last) for mean, last in zip(middle, worst[1]))
            return cost(corner), corner

        reflected = at(1.0)
        if reflected[0] < best[0]:
            simplex[-1] = min(reflected, at(2.0))
        elif reflected[0] < simplex[-2][0]:
            simplex[-1] = reflected
        elif (inside := at(-0.5))[0] < worst[0]:
            simplex[-1] = inside
        else:
            halves = [tuple((a + b) / 2 for a, b in zip(best[1], corner)) for _, corner in simplex[1:]]
            simplex = [best] + [(cost(corner), corner) for corner in halves]
    return min(simplex)[1]


def to_factors(x):
    return 1 / (1 + math.exp(-x[0])), 1 / (1 + math.exp(-x[1])), math.exp(x[2])


def from_factors(factors):
    alpha, beta, gamma = factors
    return math.log(alpha / (1 - alpha)), math.log(beta / (1 - beta)), math.log(gamma)


def fit_factors(points, parent, hold):
    """The factors of these points, held near those of the fit above."""
    size = collections.Counter(point.group for point in points)
    center = from_factors(parent)

    def cost(x):
        if any(abs(value - middle) > 12 for value, middle in zip(x, center)):
            return math.inf
        factors = to_factors(x)
        errors = sum(math.hypot(math.log(predict(point, factors) / point.measured), ROUNDING) / size[point.group]
                     for point in points)
        return errors + hold * sum((value - middle) ** 2 for value, middle in zip(x, center))

    return to_factors(minimum(cost, center))


def scopes_of(point):
    """From the general to the particular."""
    if point.pcie:
        return [("all",), ("pcie",)]
    return [("all",), ("maker", point.vendor), ("device", point.device)]


def has_enough(scope, points):
    if scope[0] == "maker":
        return len({point.group for point in points}) >= MAKER_GROUPS
    if scope[0] == "device":
        return max(collections.Counter(point.config for point in points).values(), default=0) >= CURVE_POINTS
    return len(points) > 0


class Fits:
    """Fits of some points, and of all but a group of them; each is made once."""

    def __init__(self, points):
        self.points = points
        self.made = {}

    def members(self, scope, without=None):
        inside = [point for point in self.points if scope in scopes_of(point) and point.group != without]
        return [point for point in inside if not point.pcie] if scope == ("all",) else inside

    def chain(self, scopes, without=None):
        """(scope, factors) of the last of the scopes that has enough points."""
        found, factors = ("start",), START
        for scope in scopes:
            members = self.members(scope, without)
            if not has_enough(scope, members):
                continue
            key = scope, without if any(point.group == without for point in self.points) else None
            if key not in self.made:
                self.made[key] = fit_factors(members, factors, HOLD_PCIE if scope == ("pcie",) else HOLD)
            found, factors = scope, self.made[key]
        return found, factors

    def miss(self, point):
        """How far the most particular fit is off a point when the point's group is left out of all fits."""
        scope, factors = self.chain(scopes_of(point), point.group)
        return Miss(point, scope, predict(point, factors) / point.measured)

    def all(self):
        """Every fit with enough points, the most particular first, makers and devices by name."""
        scopes = {scope for point in self.points for scope in scopes_of(point)}
        order = {"device": 0, "maker": 1, "pcie": 2, "all": 3}
        return [self.fit(scope) for scope in sorted(scopes, key=lambda one: (order[one[0]], one))
                if has_enough(scope, self.members(scope))]

    def fit(self, scope):
        members = self.members(scope)
        chain = [one for one in scopes_of(members[0]) if one[0] != "device" or scope[0] == "device"]
        chain = chain[: chain.index(scope) + 1]
        ratios = sorted(predict(point, self.chain(chain, point.group)[1]) / point.measured for point in members)
        return Fit(scope, self.chain(chain)[1], len({point.group for point in members}), len(members), tuple(ratios))


def percentile(ordered, share):
    """Linear between the values, which are sorted."""
    place = share * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])


def share_within(ratios):
    """Of the ratios, those within the goal."""
    return sum(GOAL[0] <= ratio <= GOAL[1] for ratio in ratios) / len(ratios)
