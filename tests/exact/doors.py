"""Models as other formats have them: clauses, pseudo-Boolean files, knapsacks, spins and QUBOs."""
import json

from models import Maker, Model, Number, Row, decimal_of


def literals(maker, n, most=3):
    return [(v, maker.below(2)) for v in maker.random.sample(range(n), 1 + maker.below(min(n, most)))]


def literal(v, negated):
    return f"{'~' if negated else ''}x{v + 1}"


def row_of(terms):
    """Numbers by variable and the constant of a sum of literals."""
    constant = sum(c for c, _, negated in terms if negated)
    return [(v, Number(-c if negated else c)) for c, v, negated in terms], constant


def weight(maker):
    return maker.random.choice([1 + maker.below(9), 1 + maker.below(10**6), 2**52 + maker.below(99),
                                10**15 + maker.below(3)])


def opb(maker: Maker):
    """A model with its text: `min:` with products of literals, rows of literals."""
    m, n = Model(), 2 + maker.below(6)
    m.ranges = [(0, 1)] * n
    weighted = maker.below(2) == 0
    big = maker.below(2) == 0
    size = (lambda: weight(maker) * maker.random.choice([1, -1])) if big else (
        lambda: maker.below(19) - 9)
    text = f"* #variable= {n} #constraint= 0\n"
    if weighted:
        m.whole_cost = True
        top = maker.below(3) == 0
        if top:
            m.top = Number(1 + maker.below(10**maker.random.choice([1, 6, 15])))
        text += f"soft: {m.top.text() if top else ''} ;\n"
    elif maker.below(8):
        m.maximise = maker.below(4) == 0
        text += "max:" if m.maximise else "min:"
        total = 0
        for _ in range(1 + maker.below(5)):
            c = size()
            picked = literals(maker, n, 4)
            text += f" {c:+d} " + " ".join(literal(*p) for p in picked)
            # c * product of (x or 1 - x), multiplied out.
            parts = [((), c)]
            for v, negated in picked:
                parts = [part for key, f in parts for part in
                         ([(key, f), (key + (v,), -f)] if negated else [(key + (v,), f)])]
            for key, f in parts:
                if not key:
                    total += f
                elif len(key) == 1:
                    m.linear[key[0]] = Number(m.linear.get(key[0], Number()).mantissa + f)
                else:
                    pair = tuple(sorted(key))
                    m.products[pair] = Number(m.products.get(pair, Number()).mantissa + f)
        m.constant = Number(total)
        text += " ;\n"
    planted = [maker.below(2) for _ in range(n)]
    for _ in range(1 + maker.below(4)):
        terms = [(size(), v, negated) for v, negated in literals(maker, n, 6)]
        numbers, constant = row_of(terms)
        right = sum(c * (planted[v] != negated) for c, v, negated in terms) + maker.below(3) - 1
        relation = maker.random.choice([">=", "="])
        cost = weight(maker) if weighted and maker.below(3) else None
        limit = Number(right - constant)
        m.rows.append(Row(numbers, limit, limit if relation == "=" else None,
                          None if cost is None else Number(cost)))
        text += f"[{cost}] " if cost else ""
        text += " ".join(f"{c:+d} {literal(v, g)}" for c, v, g in terms) + f" {relation} {right} ;\n"
    return m, text, "wbo" if weighted else "opb"


def terms(maker: Maker):
    """A polynomial of spins, as our JSON or as Chook's text, which has the other sign."""
    m, n = Model(), 3 + maker.below(5)
    m.ranges, m.spins = [(-1, 1)] * n, set(range(n))
    kind = maker.random.choice([0, 1, 5])
    for size in [3] + [1 + maker.below(min(n, 5)) for _ in range(maker.below(8))]:
        factors = tuple(sorted(maker.random.sample(range(n), size)))
        target, key = (m.linear, factors[0]) if size == 1 else (m.products, factors)
        target[key] = maker.number(kind)
    chook = maker.below(2) == 0
    given = [((v,), c) for v, c in m.linear.items()] + list(m.products.items())
    if chook:
        m.ranges = m.ranges[:1 + max(max(factors) for factors, _ in given)]
        m.spins &= set(range(len(m.ranges)))
        return m, "".join("\t".join(map(str, f)) + f"\t{c.text()}\n" for f, c in given), "chook"
    m.constant = Number(maker.whole(5), maker.below(4))
    fields = ", ".join((-m.linear.get(v, Number())).text() for v in range(n))
    pairs, higher = ([f"[{', '.join(map(str, f))}, {(-c).text()}]" for f, c in m.products.items() if (len(f) > 2) == more]
                     for more in (False, True))
    return m, ('{"format": "chainmail-problem", "version": 1, "spins": ' + f'{n}, "offset": {m.constant.text()}, '
               f'"fields": [{fields}], "couplings": [{", ".join(pairs)}], "terms": [{", ".join(higher)}]}}'), "json"


def clauses(maker: Maker):
    m, n = Model(), 2 + maker.below(6)
    m.ranges = [(0, 1)] * n
    m.whole_cost = True
    way = maker.below(3)  # cnf, wcnf with a top, wcnf with h
    top = 2**53
    lines = []
    for _ in range(1 + maker.below(10)):
        picked = literals(maker, n)
        numbers, constant = row_of([(1, v, negated) for v, negated in picked])
        price = None if way == 0 or maker.below(3) == 0 else weight(maker)
        m.rows.append(Row(numbers, Number(1 - constant), None,
                          None if price is None else Number(price)))
        text = " ".join(str(-(v + 1) if negated else v + 1) for v, negated in picked) + " 0"
        head = "" if way == 0 else ("h " if price is None and way == 2 else f"{price or top} ")
        lines.append(head + text)
    used = max(v for row in m.rows for v, _ in row.terms) + 1
    if way == 0:
        lines.insert(0, f"p cnf {n} {len(lines)}")
    elif way == 1:
        lines.insert(0, f"p wcnf {n} {len(lines)} {top}")
    else:
        m.ranges = [(0, 1)] * used
    return m, "\n".join(lines) + "\n", "cnf" if way == 0 else "wcnf"


def knapsack(maker: Maker):
    m, n = Model(), 2 + maker.below(6)
    m.maximise = True
    m.ranges = [(0, 1)] * n
    size = 10 ** maker.random.choice([1, 3, 8])
    m.linear = {v: Number(maker.below(size)) for v in range(n)}
    m.products = {(i, j): Number(maker.below(size)) for i in range(n) for j in range(i + 1, n)}
    weights = [maker.below(size) for _ in range(n)]
    m.rows.append(Row([(v, Number(w)) for v, w in enumerate(weights)], None,
                      Number(maker.below(sum(weights) + 1))))
    text = f"t\n{n}\n" + " ".join(m.linear[v].text() for v in range(n)) + "\n"
    for i in range(n - 1):
        text += " ".join(m.products[i, j].text() for j in range(i + 1, n)) + "\n"
    text += f"\n0\n{m.rows[0].upper.text()}\n" + " ".join(map(str, weights)) + "\n"
    return m, text, "qkp"


class Spins(Model):
    """f = offset - sum J s s - sum h s over +-1, g likewise."""

    def __init__(self):
        super().__init__()
        self.bits = False  # states are of 0 and 1
        self.g = None
        self.known = None

    def rounding(self):
        """What sums of doubles may be off by."""
        numbers = [*self.linear.values(), *self.products.values(), *getattr(self, "cut", {}).values()]
        size = sum(abs(c.value) for c in [self.constant, *numbers])
        return size * (len(numbers) + 8) / 2**52

    def states(self):
        states = super().states()
        return states if self.bits else ([2 * x - 1 for x in state] for state in states)

    def feasible(self, x):
        if self.g is None:
            return True
        linear, products, constant = self.g
        return constant + sum(c * x[v] for v, c in linear.items()) + sum(
            c * x[i] * x[j] for (i, j), c in products.items()) == 0


def spins(maker: Maker):
    """Chainmail's JSON, its COO, dimod's, QUBOs of two formats, cuts."""
    m, n = Spins(), 2 + maker.below(7)
    m.ranges = [(0, 1)] * n
    kind = maker.below(8)
    fields = {v: maker.number(kind) for v in range(n) if maker.below(3)}
    pairs = {}
    for i in range(n):
        for j in range(i + 1, n):
            if maker.below(3) == 0:
                pairs[i, j] = maker.number(kind)
    offset = Number(maker.whole(15), maker.below(13)) if maker.below(2) else Number()
    way = maker.random.choice(["json", "json", "json", "coo", "dimod", "qubo", "qs", "rudy"])
    negative = way in ("json", "coo")
    if way == "rudy":
        fields, offset = {}, Number()
        m.maximise = True
    if way in ("qubo", "dimod"):
        offset = Number()
    m.bits = way in ("qubo", "qs") or (way == "dimod" and maker.below(2) == 0)
    sign = (lambda c: -c) if negative else (lambda c: c)
    m.linear = {v: sign(c) for v, c in fields.items()}
    m.products = {pair: sign(c) for pair, c in pairs.items()}
    m.constant = offset
    if way == "json":
        value = {"format": "chainmail-problem", "version": 1, "spins": n}
        numbers = {}

        def put(number):
            numbers[f"@{len(numbers)}@"] = number.written(maker.random)
            return f"@{len(numbers) - 1}@"

        value["offset"] = put(offset)
        value["fields"] = [put(fields.get(v, Number())) for v in range(n)]
        value["couplings"] = [[i, j, put(c)] for (i, j), c in pairs.items()]
        if maker.below(3) == 0:  # so many of some are up: (sum s - k)^2
            members = maker.random.sample(range(n), 2 + maker.below(n - 1))
            k = len(members) - 2 * maker.below(len(members) + 1)
            scale = maker.random.choice([Number(1), Number(1, 7), Number(3, 12), Number(10**15)])
            g_constant = Number((len(members) + k * k) * scale.mantissa, scale.places)
            g_fields = {v: Number(2 * k * scale.mantissa, scale.places) for v in members}
            g_pairs = {(min(i, j), max(i, j)): Number(-2 * scale.mantissa, scale.places)
                       for a, i in enumerate(members) for j in members[a + 1:]}
            value["constraint"] = {
                "offset": put(g_constant),
                "fields": [put(g_fields.get(v, Number())) for v in range(n)],
                "couplings": [[i, j, put(c)] for (i, j), c in g_pairs.items()]}
            m.g = ({v: -c.value for v, c in g_fields.items()},
                   {pair: -c.value for pair, c in g_pairs.items()}, g_constant.value)
        best = m.solutions()
        if best and maker.below(3) == 0:
            m.known = best[0]
            if maker.below(3) == 0:
                m.known += maker.random.choice([1, -1, *([Number(1, 6).value] if kind == 0 else [])])
            value["known_optimum"] = put(decimal_of(m.known))
        text = json.dumps(value)
        for key, number in numbers.items():
            text = text.replace(f'"{key}"', json_number(number))
        return m, text, "json"
    if way in ("coo", "dimod"):
        text = f"# vartype={'BINARY' if m.bits else 'SPIN'}\n" if way == "dimod" else (
            f"#: chainmail-coo 1\n#: spins {n}\n#: offset {offset.text()}\n")
        if way == "dimod" and n - 1 not in fields:
            fields[n - 1] = Number()
        text += "".join(f"{v} {v} {c.text()}\n" for v, c in fields.items())
        text += "".join(f"{i} {j} {c.text()}\n" for (i, j), c in pairs.items())
        return m, text, "coo"
    if way == "qubo":
        text = f"p qubo 0 {n} {len(fields)} {len(pairs)}\n"
        text += "".join(f"{v} {v} {c.text()}\n" for v, c in fields.items())
        text += "".join(f"{i} {j} {c.text()}\n" for (i, j), c in pairs.items())
        return m, text, "qubo"
    if way == "qs":
        m.products = {pair: Number(2 * c.mantissa, c.places) for pair, c in pairs.items()}
        text = f"# ObjectiveOffset {offset.text()}\n{n} {len(fields) + len(pairs)}\n"
        text += "".join(f"{v + 1} {v + 1} {c.text()}\n" for v, c in fields.items())
        text += "".join(f"{i + 1} {j + 1} {c.text()}\n" for (i, j), c in pairs.items())
        return m, text, "qs"
    # The cut: w for every edge whose ends differ.
    m.products, total = {}, Number()
    if not pairs:
        pairs = {(0, 1): maker.number(kind)}
    m.cut = pairs
    m.value = lambda x: sum(c.value for (i, j), c in pairs.items() if x[i] != x[j])
    text = f"{n} {len(pairs)}\n"
    text += "".join(f"{i + 1} {j + 1} {c.text()}\n" for (i, j), c in pairs.items())
    return m, text, "rudy"


def json_number(text):
    return text.replace("e+0", "e+")
