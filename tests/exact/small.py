"""Models of 5 to 22 free bits, of the kinds people have: each is to end proved, within a second."""
from models import Maker, Model, Number, Row, lp


def row(numbers, lower=None, upper=None, price=None):
    as_number = lambda value: None if value is None else Number(value)  # noqa: E731
    return Row([(v, Number(c)) for v, c in enumerate(numbers) if c], as_number(lower),
               as_number(upper), as_number(price))


def small(maker: Maker, index):
    """What it is, its text and format."""
    n = 5 + maker.below(18)
    below = maker.below
    kinds = ["linear", "quadratic", "equation", "knapsack", "rows", "soft", "integers", "groups",
             "market split", "infeasible", "spins", "qubo"]
    kind = kinds[index % len(kinds)]
    if kind in ("spins", "qubo"):
        real = below(2)
        number = lambda: Number(maker.whole(6), 5) if real else Number(2 * below(2) - 1)  # noqa: E731
        fields = "".join(f"{v} {v} {number().text()}\n" for v in range(n))
        pairs = "".join(f"{i} {j} {number().text()}\n" for i in range(n) for j in range(i + 1, n))
        if kind == "spins":
            return kind, f"#: chainmail-coo 1\n#: spins {n}\n" + fields + pairs, "coo"
        return kind, f"p qubo 0 {n} {n} {n * (n - 1) // 2}\n" + fields + pairs, "qubo"
    m = Model()
    m.maximise = below(2) == 0
    m.ranges = [(0, 1)] * n
    size = 10 ** (1 + below(6))
    m.linear = {v: Number(maker.whole(6), below(4)) for v in range(n)}
    planted = [below(2) for _ in range(n)]
    numbers = lambda: [1 + below(size) for _ in range(n)]  # noqa: E731
    held = lambda c: sum(a for a, x in zip(c, planted) if x)  # noqa: E731
    if kind in ("quadratic", "soft"):
        m.products = {(i, j): Number(maker.whole(4)) for i in range(n) for j in range(i + 1, n)
                      if kind == "quadratic" or below(4) == 0}
    if kind in ("linear", "quadratic", "rows", "soft"):
        for _ in range(1 if kind == "linear" else 1 + below(5)):
            c = [a if below(2) else 0 for a in numbers()]
            price = 1 + below(1000) if kind == "soft" and below(2) else None
            m.rows.append(row(c, None, held(c), price) if below(2) else row(c, held(c), None, price))
    elif kind == "equation":
        c = [10**6 + below(9 * 10**6) for _ in range(n)]
        m.rows.append(row(c, held(c), held(c)))
    elif kind == "knapsack":
        m.maximise, c = True, numbers()
        m.linear = {v: Number(c[v] + below(size)) for v in range(n)}
        m.rows.append(row(c, None, sum(c) // 2))
    elif kind == "market split":
        m.linear = {}
        for _ in range(3):
            c = [below(100) for _ in range(n)]
            m.rows.append(row(c, held(c), held(c)))
    elif kind == "infeasible":  # an odd sum of even numbers, beside others, and without that
        c = [2 * a for a in numbers()]
        m.rows.append(row(c, held(c) + 1, held(c) + 1))
        d = [10**6 + below(9 * 10**6) for _ in range(n)]
        m.rows.append(row(d, held(d) + 1, held(d) + 1))
        if below(2):
            del m.rows[0]
    elif kind == "groups":
        cut = 2 + below(n - 2)
        one = [1] * cut + [0] * (n - cut)
        m.rows += [row(one, 1, 1), row([1 - a for a in one], 1, 1)]
        m.products = {(i, j): Number(maker.whole(4)) for i in range(cut) for j in range(cut, n)}
    elif kind == "integers":
        m.ranges = [(0, 3)] * (n // 2)
        n = len(m.ranges)
        m.linear = {v: Number(maker.whole(4)) for v in range(n)}
        planted = [below(4) for _ in range(n)]
        c = [1 + below(size) for _ in range(n)]
        m.rows.append(row(c, None, sum(a * x for a, x in zip(c, planted))))
        m.products = {(0, 1): Number(maker.whole(3))}
    return kind, lp(m, maker.random), "lp"
