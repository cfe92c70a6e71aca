"""To SymPy and from it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import sympy
from sympy.core.function import AppliedUndef
from sympy.parsing.sympy_parser import parse_expr
from sympy.printing.str import StrPrinter

if TYPE_CHECKING:
    from .equations import Equations
    from .model import Model

_FUNCTIONS = {
    **{name: getattr(sympy, name) for name in "sin cos tan asin acos atan atan2 sinh cosh tanh exp log sqrt".split()},
    "abs": sympy.Abs,
    "sign": sympy.sign,
    "min": sympy.Min,
    "max": sympy.Max,
    "pi": sympy.pi,
}
_TOKEN = re.compile(r"lambda\(([^()]*)\)|([A-Za-z_][A-Za-z0-9_.]*)('*)|(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+)|\^")


class _Reader:
    """Reads texts of the library; symbols are made once."""

    def __init__(self, meanings: Mapping[str, Any]):
        self._meanings = dict(meanings)

    def symbol(self, name: str) -> Any:
        return self._meanings.setdefault(name, sympy.Symbol(name, real=True))

    def __call__(self, text: str) -> Any:
        names: dict[str, Any] = {"Rational": sympy.Rational}

        def replace(found: re.Match) -> str:
            constraint, name, primes, digits = found.groups()
            if digits:
                return f"Rational('{digits}')"
            if constraint is None and name is None:
                return "**"
            if name in _FUNCTIONS and not primes:
                names[name] = _FUNCTIONS[name]
                return name
            place = f"_name_{len(names)}"
            names[place] = self.symbol(f"lambda({constraint})" if constraint is not None else name + primes)
            return place

        code = _TOKEN.sub(replace, text)
        return parse_expr(code, local_dict=names, global_dict={"__builtins__": {}}, transformations=())


def blocks_to_sympy(equations: Equations, dynamic: bool) -> dict[str, Any]:
    t = sympy.Symbol("t", real=True)
    meanings: dict[str, Any] = {"t": t}
    if dynamic:
        time = sympy.physics.mechanics.dynamicsymbols._t if hasattr(sympy, "physics") else sympy.Symbol("t")
        meanings["t"] = time
        for name in equations.coordinates:
            position = sympy.Function(name)(time)
            meanings |= {name: position, name + "'": position.diff(time), name + "''": position.diff(time, 2)}
    read = _Reader(meanings)
    result = {}
    for symbol, block in equations.data["blocks"].items():
        if not block["rows"]:
            result[symbol] = read(block["entries"][0]["text"]) if block["entries"] else sympy.Integer(0)
            continue
        columns = block["columns"] or [""]
        matrix = sympy.zeros(len(block["rows"]), len(columns))
        for entry in block["entries"]:
            matrix[block["rows"].index(entry["row"]), columns.index(entry.get("column", ""))] = read(entry["text"])
        result[symbol] = matrix
    return result


class _Printer(StrPrinter):
    """Writes expressions as a model file has them."""

    def __init__(self, names: Mapping[Any, str]):
        super().__init__()
        self._known = names

    def _print(self, expr, **kwargs):
        if expr in self._known:
            return self._known[expr]
        return super()._print(expr, **kwargs)

    def _print_Pow(self, expr, rational=False):
        base, exponent = expr.base, expr.exp
        if base == sympy.E:
            return f"exp({self._print(exponent)})"
        if exponent == sympy.Rational(1, 2):
            return f"sqrt({self._print(base)})"
        return f"(({self._print(base)})^({self._print(exponent)}))"

    def _print_Rational(self, expr):
        return f"({expr.p}/{expr.q})"

    def _print_Float(self, expr):
        return repr(float(expr))

    def _print_Exp1(self, expr):
        return "exp(1)"

    def _print_Abs(self, expr):
        return f"abs({self._print(expr.args[0])})"

    def _print_Min(self, expr):
        return self._nested("min", expr.args)

    def _print_Max(self, expr):
        return self._nested("max", expr.args)

    def _nested(self, name: str, arguments) -> str:
        first, *rest = arguments
        return f"{name}({self._print(first)}, {self._nested(name, rest)})" if rest else self._print(first)

    def _print_Mul(self, expr):
        numerator, denominator = sympy.fraction(expr)
        if denominator != 1 and denominator.is_number is not True:
            return f"({self._print(numerator)})/({self._print(denominator)})"
        return super()._print_Mul(expr)

    def _print_Symbol(self, expr):
        return _plain(expr.name)

    def _print_Function(self, expr):
        name = expr.func.__name__
        if isinstance(expr, AppliedUndef) and len(expr.args) == 1 and self._known.get(expr.args[0]) == "t":
            return _plain(name)  # a function of time that is no coordinate: an input
        if name in ("cot", "sec", "csc"):
            inverse = {"cot": "tan", "sec": "cos", "csc": "sin"}[name]
            return f"(1/{inverse}({self._print(expr.args[0])}))"
        if name not in _FUNCTIONS:
            raise ValueError(f"the function {name} is not known to Dalembert")
        return f"{name}({', '.join(self._print(argument) for argument in expr.args)})"

    def _print_Derivative(self, expr):
        raise ValueError(f"{expr} is a derivative of something that is no coordinate")


def _plain(name: str) -> str:
    """A name that a model file can have."""
    text = re.sub(r"[^A-Za-z0-9_]", "_", name)
    return text if re.match(r"[A-Za-z_]", text) else "_" + text


def to_text(expression: Any, names: Mapping[Any, str] | None = None) -> str:
    return _Printer(names or {}).doprint(sympy.sympify(expression))


def _name_of(coordinate: Any) -> str:
    return _plain(coordinate.func.__name__ if isinstance(coordinate, AppliedUndef) else str(coordinate))


def from_sympy(
    lagrangian: Any,
    coordinates: Any = None,
    *,
    parameters: Mapping[Any, float] | None = None,
    holonomic: Any = (),
    nonholonomic: Any = (),
    forces: Any = None,
    frame: Any = None,
    start: Mapping[Any, Any] | None = None,
    outputs: Mapping[str, Any] | None = None,
    **parts: Any,
) -> Model:
    """A model from a Lagrangian of SymPy, or from a ``LagrangesMethod``, ``KanesMethod`` or ``System`` of
    ``sympy.physics.mechanics``, with its coordinates, loads and constraints.

    ``coordinates`` are functions of time, as ``dynamicsymbols`` makes them; ``start`` has values of them and of their
    derivatives, of speeds where the system has them. ``forces`` are generalized forces by coordinate, or forces at points
    and torques on frames, [(P, F), (B, T)], with the inertial ``frame``. ``holonomic`` and ``nonholonomic`` constraints are
    expressions that vanish, in a list or by their names. ``parameters`` are values of the symbols, all of which need
    one; other functions of time are ``inputs``, by their names.

    >>> import sympy as sp
    >>> from sympy.physics.mechanics import dynamicsymbols
    >>> import dalembert as dal
    >>> theta = dynamicsymbols("theta")
    >>> m, l, g = sp.symbols("m l g")
    >>> L = m*l**2*theta.diff()**2/2 + m*g*l*sp.cos(theta)
    >>> model = dal.from_sympy(L, [theta], parameters={m: 1, l: 2, g: 9.81}, start={theta: 0.3})
    >>> model.run((0, 1)).success
    True
    """
    from . import _sympy_mechanics as mechanics
    from .model import Model

    if mechanics.is_system(lagrangian):
        if coordinates is not None or forces is not None or holonomic or nonholonomic:
            raise TypeError(f"a {type(lagrangian).__name__} has its own coordinates, forces and constraints")
        system = mechanics.read_system(lagrangian)
    else:
        coordinates = _coordinates(coordinates)
        if forces is not None and not isinstance(forces, Mapping):
            forces = mechanics.generalized_forces(forces, frame, coordinates)
        kinetic, potential = mechanics.energies(sympy.sympify(lagrangian), coordinates)
        dynamics = {"kinetic": kinetic, "potential": potential, "forces": forces or {}}
        system = mechanics.Mechanics(dynamics, coordinates, holonomic, nonholonomic, {})
    names: dict[Any, str] = {}
    for coordinate in _coordinates(system.coordinates):
        time = coordinate.args[0]
        names |= {time: "t", coordinate: _name_of(coordinate), coordinate.diff(time): _name_of(coordinate) + "'"}
    write = _Printer(names).doprint
    start = mechanics.with_rates(system, start or {}, parameters or {})
    given = {names.get(sympy.sympify(symbol), str(symbol)): value for symbol, value in start.items()}
    return Model(
        parameters={_plain(str(symbol)): value for symbol, value in (parameters or {}).items()},
        coordinates={_name_of(coordinate): _start(_name_of(coordinate), given) for coordinate in system.coordinates},
        **_dynamics(system.dynamics, names, write),
        holonomic=_equations(system.holonomic, write),
        nonholonomic=_equations(system.nonholonomic, write),
        outputs={name: write(sympy.sympify(one)) for name, one in (outputs or {}).items()},
        **parts,
    )


def _dynamics(given: Mapping[str, Any], names: Mapping[Any, str], write: Any) -> dict[str, Any]:
    if "mass" in given:
        mass, n = given["mass"], given["mass"].rows
        rows = [[write(mass[min(i, j), max(i, j)]) for j in range(n)] for i in range(n)]  # equal texts of equal entries
        return {"mass": rows, "force": [write(one) for one in given["force"]]}
    forces = {names[sympy.sympify(q)]: write(sympy.sympify(force)) for q, force in given["forces"].items()}
    return {"kinetic": write(given["kinetic"]), "potential": write(given["potential"]), "forces": forces}


def _coordinates(coordinates: Any) -> list[Any]:
    if coordinates is None:
        raise TypeError("from_sympy takes a Lagrangian and its coordinates, or a system of sympy.physics.mechanics")
    listed = list(coordinates)
    for coordinate in listed:
        if not isinstance(coordinate, AppliedUndef) or len(coordinate.args) != 1:
            raise TypeError(f"the coordinate {coordinate} must be a function of time, as dynamicsymbols() makes them")
    return listed


def _start(name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    entry = {"position": given.get(name, 0)}
    if name + "'" in given:
        entry["velocity"] = given[name + "'"]
    return {key: value if isinstance(value, str) else _number(value) for key, value in entry.items()}


def _number(value: Any) -> Any:
    return (
        float(value) if isinstance(value, sympy.Float) else to_text(value) if isinstance(value, sympy.Basic) else value
    )


def _equations(constraints: Any, write: Any) -> Any:
    side = lambda one: write(one.lhs - one.rhs if isinstance(one, sympy.Eq) else sympy.sympify(one))
    if isinstance(constraints, Mapping):
        return {name: side(one) for name, one in constraints.items()} or None
    return [side(one) for one in constraints] or None
