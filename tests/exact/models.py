"""Random small models with hard numbers, their truth by enumeration in fractions, and how each
file format writes them. Nothing here comes from the solver."""
import itertools
import math
from fractions import Fraction
from random import Random


class Number:
    """mantissa / 10^places, as text and as what it is."""

    def __init__(self, mantissa=0, places=0):
        self.mantissa, self.places = mantissa, places

    @property
    def value(self):
        return Fraction(self.mantissa, 10**self.places)

    def __neg__(self):
        return Number(-self.mantissa, self.places)

    def text(self):
        digits = str(abs(self.mantissa))
        if self.places:
            digits = digits.rjust(self.places + 1, "0")
            digits = digits[: -self.places] + "." + digits[-self.places :]
        return ("-" if self.mantissa < 0 else "") + digits

    def written(self, random):
        """The same number as people and programs write it."""
        way = random.randrange(8)
        if way == 0 and self.mantissa:
            shift = random.randrange(1, 6)
            moved = Number(self.mantissa, self.places + shift)
            return moved.text() + random.choice(["e", "E", "e+", "e+0"]) + str(shift)
        if way == 1:
            return Number(self.mantissa * 1000, self.places + 3).text()
        if way == 2 and self.places:
            return f"{self.mantissa}e-{self.places}"
        return self.text()


def decimal_of(value):
    """A fraction that is a decimal, as a Number."""
    places = 0
    while (value * 10**places).denominator != 1:
        places += 1
    return Number(int(value * 10**places), places)


class Row:
    def __init__(self, terms, lower=None, upper=None, price=None, when=None, products=()):
        self.terms, self.lower, self.upper = terms, lower, upper  # Numbers by variable
        self.price, self.when, self.products = price, when, products

    def missed(self, x):
        left = sum((c.value * x[v] for v, c in self.terms), Fraction(0))
        left += sum(math.prod(x[v] for v in factors) for factors in self.products)
        if self.lower is not None and left < self.lower.value:
            return self.lower.value - left
        if self.upper is not None and left > self.upper.value:
            return left - self.upper.value
        return Fraction(0)

    def counts(self, x):
        return self.when is None or x[self.when[0]] == self.when[1]


class Model:
    def __init__(self):
        self.maximise = False
        self.ranges = []  # of each variable
        self.linear = {}
        self.products = {}  # by two variables or more, ascending
        self.spins = set()  # of variables: -1 or 1
        self.constant = Number()
        self.rows = []
        self.sets = []
        self.whole_cost = False  # soft rows cost their price however far they are missed
        self.top = None  # all solutions cost less

    def value(self, x):
        total = self.constant.value
        total += sum((c.value * x[v] for v, c in self.linear.items()), Fraction(0))
        total += sum((c.value * math.prod(x[v] for v in factors)
                      for factors, c in self.products.items()), Fraction(0))
        for row in self.rows:
            if row.price is not None:
                missed = row.missed(x)
                if self.whole_cost:
                    missed = Fraction(missed != 0)
                total += (-1 if self.maximise else 1) * row.price.value * missed
        return total

    def feasible(self, x):
        inside = all(low <= value <= high for value, (low, high) in zip(x, self.ranges))
        if not inside or any(
            row.price is None and row.counts(x) and row.missed(x) != 0 for row in self.rows
        ):
            return False
        if self.top is not None and self.value(x) >= self.top.value:
            return False
        return all(sum(x[v] != 0 for v in members) <= 1 for members in self.sets)

    def states(self):
        return itertools.product(*((-1, 1) if v in self.spins else range(low, high + 1)
                                   for v, (low, high) in enumerate(self.ranges)))

    def solutions(self):
        """Values of all feasible states, best first."""
        sign = -1 if self.maximise else 1
        return sorted(sign * self.value(x) for x in self.states() if self.feasible(x))


class Maker:
    def __init__(self, random: Random):
        self.random = random

    def below(self, limit):
        return self.random.randrange(limit)

    def whole(self, digits):
        value = self.below(10**digits)
        return -value if self.below(3) == 0 else value

    def number(self, kind):
        places = self.below(13)
        return [
            lambda: Number(self.whole(1)),
            lambda: Number(self.whole(1 + self.below(6)), self.below(4)),
            lambda: Number(10**15 + self.whole(2)),  # large, and nearly the same
            lambda: Number(self.whole(18)),
            lambda: Number(self.whole(1 + self.below(17)), places),
            lambda: Number(self.random.choice([1, -1, 2, 10**self.below(18)])),
            lambda: Number(self.random.choice([1, 3, 999999999999, 10**12 + 1]), 12),
            lambda: Number(2 ** self.below(60) + self.below(3) - 1),  # around what doubles hold
        ][kind]()

    def model(self, integers=True, products=True, sets=True, soft=True, degree=2):
        m = Model()
        m.maximise = self.below(2) == 0
        states = 1
        for _ in range(2 + self.below(6)):
            low, high = 0, 1
            if degree > 2 and self.below(5) == 0:
                m.spins.add(len(m.ranges))
                low = -1
            elif integers and self.below(4) == 0:
                low = self.below(7) - 3
                high = low + self.below(4)  # 0: fixed
                if self.below(10) == 0:
                    low, high = -5, 5
            states *= high - low + 1
            if states > 600:
                break
            m.ranges.append((low, high))
        if len(m.ranges) < 2:
            m.ranges, m.spins = [(0, 1), (0, 1)], set()
        m.spins &= set(range(len(m.ranges)))
        n = len(m.ranges)
        planted = [self.random.choice((-1, 1)) if v in m.spins else low + self.below(high - low + 1)
                   for v, (low, high) in enumerate(m.ranges)]
        kind = self.below(8)
        if self.below(12):  # else there is nothing to minimise
            m.linear = {v: self.number(kind) for v in range(n) if self.below(5)}
            if self.below(2) == 0:
                m.constant = Number(self.whole(15), self.below(13))
            if products and (degree > 2 or self.below(3) == 0):
                for _ in range(1 + self.below(4)):
                    size = 2 + self.below(degree - 1)
                    factors = tuple(sorted(self.below(n) for _ in range(size)))
                    m.products[factors] = self.number(kind)
        for _ in range(self.below(4)):
            m.rows.append(self.row(m, planted, soft))
        if self.below(6) == 0 and m.rows:  # the same row again, or a multiple, or nearly
            row = self.random.choice(m.rows)
            factor = self.random.choice([1, 2, -1])
            limits = [None if c is None else Number(factor * c.mantissa, c.places)
                      for c in (row.lower, row.upper)]
            if factor < 0:
                limits.reverse()
            if self.below(2) == 0 and limits[1] is not None:
                limits[1] = Number(limits[1].mantissa + self.below(3) - 1, limits[1].places)
            if None in limits or limits[0].value <= limits[1].value:
                m.rows.append(Row([(v, Number(factor * c.mantissa, c.places))
                                   for v, c in row.terms], limits[0], limits[1]))
        binaries = [v for v in range(n) if m.ranges[v] == (0, 1)]
        if sets and self.below(8) == 0:
            m.sets.append(self.random.sample(range(n), 2 + self.below(n - 1)))
        if sets and binaries and m.rows and self.below(6) == 0:
            row = self.random.choice(m.rows)
            if row.price is None:
                row.when = (self.random.choice(binaries), self.below(2))
        if sets and products and len(binaries) > 1 and self.below(8) == 0:
            pair = tuple(sorted(self.random.sample(binaries, 2)))
            m.rows.append(Row([], Number(0), Number(0), products=[pair]))
        if degree > 2 and binaries:
            for row in m.rows:
                if self.below(3) == 0 and not row.products:
                    row.products = [tuple(self.random.choice(binaries) for _ in range(2 + self.below(3)))]
        return m

    def row(self, m, planted, soft):
        kind, n = self.below(8), len(planted)
        terms = [(v, self.number(kind)) for v in range(n) if self.below(4)]
        if self.below(4) == 0:  # all the same: a group, a clash, a cardinality
            size = self.random.choice([1, 1, 3, 10**12 + 1])
            terms = [(v, Number(size)) for v, _ in terms]
        places = max([c.places for _, c in terms], default=0)
        left = sum((c.value * planted[v] for v, c in terms), Fraction(0))

        def beside(far):
            """What the planted values give, or the least bit beside it, or far."""
            right = Number(int(left * 10**places), places)
            if self.below(3) == 0:
                right.mantissa += self.below(3) - 1
            if self.below(4) == 0:
                right = Number(right.mantissa * 10 + self.below(19) - 9, places + 1)
            if far:
                right.mantissa += far * self.below(10 ** self.below(16))
            return right

        which = self.below(6)
        lower = upper = beside(0)
        if which == 0:
            lower = None
        elif which == 1:
            upper = None
        elif which == 2:
            lower, upper = beside(-1), beside(1)
            if lower.value > upper.value:
                lower, upper = upper, lower
        elif which == 3:
            lower, upper = (None, beside(1)) if self.below(2) else (beside(-1), None)
        price = None
        if soft and self.below(5) == 0:
            price = Number(1 + self.below(10 ** (1 + self.below(8))), self.below(4))
        return Row(terms, lower, upper, price)


def name(v):
    return f"x{v}"


def linear_text(terms, random, split=True):
    text = ""
    for v, c in terms:
        parts = [c]
        if split and random.randrange(10) == 0:  # the variable twice
            first = random.randrange(-9, 10) * 10**c.places
            parts = [Number(first, c.places), Number(c.mantissa - first, c.places)]
        for part in parts:
            if part.mantissa < 0:
                text += f" - {(-part).written(random)} {name(v)}"
            else:
                text += f" + {part.written(random)} {name(v)}"
    return text


def lp(m, random):
    text = "Maximize\n obj:" if m.maximise else "Minimize\n obj:"
    # A variable that stands nowhere is unknown.
    text += linear_text([(v, m.linear.get(v, Number())) for v in range(len(m.ranges))], random)
    if m.products:
        text += " + ["
        for factors, c in m.products.items():
            c = Number(2 * c.mantissa, c.places)
            text += f" {'-' if c.mantissa < 0 else '+'} {Number(abs(c.mantissa), c.places).text()} "
            text += " * ".join(name(v) if power == 1 else f"{name(v)} ^ {power}" for v in sorted(set(factors))
                               for power in (factors.count(v),))
        text += " ] / 2"
    if m.constant.mantissa:
        text += (" - " if m.constant.mantissa < 0 else " + ")
        text += Number(abs(m.constant.mantissa), m.constant.places).text()
    text += "\nSubject To\n"
    soft = ""
    for r, row in enumerate(m.rows):
        if not row.terms and not row.products:
            continue
        head = f" c{r}: "
        if row.when:
            head += f"{name(row.when[0])} = {row.when[1]} -> "
        left = linear_text(row.terms, random)
        if row.products:
            left += " + [" + " + ".join(" * ".join(map(name, factors)) for factors in row.products) + " ]"
        low = None if row.lower is None else row.lower.written(random)
        high = None if row.upper is None else row.upper.written(random)
        if low is not None and high is not None and row.lower.value == row.upper.value:
            text += f"{head}{left} = {low}\n"
        elif low is not None and high is not None:
            text += f"{head}{low} <= {left} <= {high}\n"
        elif low is not None:
            text += f"{head}{left} >= {low}\n"
        else:
            text += f"{head}{left} <= {high}\n"
        if row.price is not None:
            soft += f" c{r} {row.price.text()}\n"
    if soft:
        text += "Soft Constraints\n" + soft
    text += "Bounds\n"
    binary, general = "", ""
    for v, (low, high) in enumerate(m.ranges):
        if v in m.spins:
            continue
        if (low, high) == (0, 1) and random.randrange(2):
            binary += " " + name(v)
            continue
        general += " " + name(v)
        # What is written need not be whole.
        low_text = random.choice([str(low), f"{low - 1}.5"])
        high_text = random.choice([str(high), f"{high}.9999999999999"]) if high >= 0 else str(high)
        if low == high and random.randrange(2):
            text += f" {name(v)} = {low}\n"
        else:
            text += f" {low_text if low > 0 else low} <= {name(v)} <= {high_text}\n"
    if general:
        text += "General\n" + general + "\n"
    if binary:
        text += "Binary\n" + binary + "\n"
    if m.spins:
        text += "Spins\n" + " ".join(map(name, m.spins)) + "\n"
    if m.sets:
        text += "SOS\n"
        for k, members in enumerate(m.sets):
            text += f" s{k}: S1:: " + " ".join(f"{name(v)}:{w + 1}" for w, v in enumerate(members))
            text += "\n"
    return text + "End\n"


def mps(m, random):
    text = "NAME t\n" + ("OBJSENSE\n MAX\n" if m.maximise else "") + "ROWS\n N obj\n"
    rhs, ranges = "", ""
    for r, row in enumerate(m.rows):
        kind, side = ("L", row.upper) if row.upper is not None else ("G", row.lower)
        if row.lower is not None and row.upper is not None:
            width = decimal_of(row.upper.value - row.lower.value)
            kind = "E"
            if width.mantissa:
                kind = random.choice("LGE")
                side = row.upper if kind == "L" else row.lower
                if kind == "E" and random.randrange(2):
                    side, width = row.upper, -width
                ranges += f" R c{r} {width.text()}\n"
        text += f" {kind} c{r}\n"
        rhs += f" R c{r} {side.written(random)}\n"
    text += "COLUMNS\n M 'MARKER' 'INTORG'\n"
    for v in range(len(m.ranges)):
        text += f" {name(v)} obj {m.linear.get(v, Number()).text()}\n"
        for r, row in enumerate(m.rows):
            for u, c in row.terms:
                if u == v:
                    text += f" {name(v)} c{r} {c.written(random)}\n"
    text += " M 'MARKER' 'INTEND'\nRHS\n R obj " + (-m.constant).text() + "\n" + rhs
    text += "RANGES\n" + ranges if ranges else ""
    text += "BOUNDS\n"
    for v, (low, high) in enumerate(m.ranges):
        if (low, high) == (0, 1) and random.randrange(2):
            text += f" BV B {name(v)}\n"
        elif low == high and random.randrange(2):
            text += f" FX B {name(v)} {low}\n"
        else:
            text += f" LO B {name(v)} {low}\n UP B {name(v)} {high}\n"
    if m.sets:
        text += "SOS\n"
        for k, members in enumerate(m.sets):
            text += f" S1 s{k}\n" + "".join(f" {name(v)} {w + 1}\n" for w, v in enumerate(members))
    when = [(r, row.when) for r, row in enumerate(m.rows) if row.when]
    if when:
        text += "INDICATORS\n" + "".join(f" IF c{r} {name(v)} {value}\n" for r, (v, value) in when)
    return text + "ENDATA\n"


def qplib(m, random):
    far = 10**30
    n = len(m.ranges)
    binary = all(r == (0, 1) for r in m.ranges)
    lines = ["t", ("Q" if m.products else "L") + ("B" if binary else "I") + ("L" if m.rows else "N")]
    lines += ["maximize" if m.maximise else "minimize", str(n)]
    if m.rows:
        lines.append(str(len(m.rows)))
    if m.products:
        lines.append(str(len(m.products)))
        for (i, j), c in m.products.items():  # 1/2 x'Hx by its lower triangle
            c = Number(2 * c.mantissa, c.places) if i == j else c
            lines.append(f"{j + 1} {i + 1} {c.text()}")
    lines += ["0", str(len(m.linear))]
    lines += [f"{v + 1} {c.written(random)}" for v, c in m.linear.items()]
    lines.append(m.constant.text())
    if m.rows:
        terms = [(r, v, c) for r, row in enumerate(m.rows) for v, c in row.terms]
        lines.append(str(len(terms)))
        lines += [f"{r + 1} {v + 1} {c.text()}" for r, v, c in terms]
        lines.append(str(far))
        for side, default in (("lower", -far), ("upper", far)):
            given = [(r, getattr(row, side)) for r, row in enumerate(m.rows)
                     if getattr(row, side) is not None]
            lines += [str(default), str(len(given))]
            lines += [f"{r + 1} {c.text()}" for r, c in given]
    else:
        lines.append(str(far))
    if not binary:
        for at in (0, 1):
            lines += ["0" if at == 0 else "1", str(n)]
            lines += [f"{v + 1} {r[at]}" for v, r in enumerate(m.ranges)]
    lines += ["0", "0"]  # starting point
    if m.rows:
        lines += ["0", "0"]
    lines += ["0", "0", "0"] + (["0"] if m.rows else [])
    return "\n".join(lines) + "\n"
