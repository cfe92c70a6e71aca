"""Random calls of the program: commands, options, values that make sense and values that do not, models that are broken."""

MODELS = ["pendulum", "pendulum_cartesian", "slider_crank", "four_bar", "ellipse", "knife_edge", "spherical_pendulum",
          "rolling_disk", "two_link_robot", "car_axis"]
METHODS = ["adomian", "dop853", "dopri5", "rk4", "euler", "bdf", "ndf", "rattle", "generalized_alpha", "nullspace",
           "partition", "augmented_lagrangian", "kutta3", "heun", "adomain", ""]
WORDS = ["", " ", "-", "--", "=", "x", "nan", "inf", "-1", "0", "1e999", "1e-400", "0x10", "1,2", "'", "\"", "*", "theta*",
         "\x1b[31m", "\u202e", "\u00e9", "a\nb", "9" * 400, "q", "energies", "lambda(x)", "../x", "/", "."]
REALS = ["0.1", "1", "0.5", "2", "1e-3", "1e-9", "0", "-1", "nan", "inf", "-inf", "1e308", "-1e308", "1e-308", "5e-324", "1e17",
         "x", ""]
COUNTS = ["1", "2", "5", "17", "30", "0", "-1", "2147483648", "99999999999999999999", "1.5", "x", ""]
SETTINGS = ["l=2", "m=0", "m=-1", "l=nan", "l=1/0", "theta=1e300", "theta'=3", "gravity=0", "=", "l", "l=", "l=l", "l=sin(",
            "l=2^2^2^9", "x=1", "nothing=1", "l=" + "(" * 500, "l=\x1b", "g=-9.81", "l1=0.3"]
SUFFIXES = [".csv", ".json", ".npz", ".h5", ".csv", ".json", ".txt", ""]
PICTURES = [".svg", ".png", ".svg", ".pdf"]


class Call:
    """Arguments of the program, and the files that it is asked to write."""

    def __init__(self, dice):
        self.dice = dice
        self.arguments = []
        self.files = []

    def choose(self, usual, strange):
        """Mostly what makes sense."""
        return self.dice.choice(usual if self.dice.random() < 0.7 else strange)

    def option(self, name, usual, strange, chance=0.25):
        if self.dice.random() < chance:
            self.arguments += [name, self.choose(usual, strange)]

    def flag(self, name, chance=0.15):
        if self.dice.random() < chance:
            self.arguments.append(name)

    def file(self, name, suffixes, chance):
        while self.dice.random() < chance:
            file = self.dice.choice(["out", "deep/out", "link", "old", "nowhere/out"]) + self.dice.choice(suffixes)
            self.arguments += [name, file]
            self.files.append(file)
            chance /= 2

    def model(self):
        name = self.choose(MODELS, ["broken.toml", "broken.toml", "empty.toml", "deep", "nothing", "nothing.toml", ""])
        self.arguments.append(name)
        while self.dice.random() < 0.2:
            self.arguments += ["--set", self.dice.choice(SETTINGS)]


def run(call):
    call.model()
    call.option("--method", METHODS[:10], METHODS, 0.5)
    call.option("--duration", ["0.1", "0.5", "1", "-0.5"], REALS, 0.9)
    call.option("--max-steps", ["100", "1000"], COUNTS, 0.9)
    for name in ("--start", "--tolerance", "--step", "--alpha", "--beta", "--rho", "--every", "--max-step"):
        call.option(name, REALS[:5], REALS, 0.12)
    call.option("--times", ["0.05", "0,0.05,0.1"], ["", ",", "0.1,0", "nan", "1,x"], 0.1)
    call.option("--stabilization", ["none", "baumgarte", "linear", "projection"], WORDS, 0.1)
    call.option("--index-form", ["index1", "index2", "ggl", "rk4"], WORDS, 0.1)
    call.option("--runge-kutta", ["rk4", "dopri5", "ggl"], WORDS, 0.1)
    call.option("--formula", ["ndf", "bdf"], WORDS, 0.05)
    for name in ("--order", "--digits", "--threads"):
        call.option(name, COUNTS[:4], COUNTS, 0.1)
    for name in ("--every-step", "--no-projection", "--quiet", "--json"):
        call.flag(name)
    call.option("--columns", ["q", "q,v", "t,energies", "outputs"], WORDS, 0.3)
    call.option("--against", ["t", "x", "theta"], WORDS, 0.1)
    call.file("-o", SUFFIXES, 0.7)
    call.file("--plot", PICTURES, 0.2)
    call.file("--report", [".html", ".html", ".txt"], 0.15)


def check(call):
    call.model()
    call.flag("--json")


def equations(call):
    call.model()
    for name in ("--latex", "--numbers", "--json"):
        call.flag(name, 0.3)


def series(call):
    call.model()
    call.option("--order", ["1", "5", "12"], COUNTS)
    call.option("--digits", ["20", "40"], COUNTS)
    for name in ("--exact", "--latex", "--json"):
        call.flag(name, 0.3)


def compare(call):
    call.model()
    call.arguments += ["--methods", call.choose(["rk4,dop853", "adomian", "bdf,rattle"], ["", ",", "x", "rk4,rk4"])]
    call.option("--duration", ["0.05", "0.1"], REALS[5:], 1)
    call.option("--tolerances", ["1e-4", "1e-3,1e-5"], REALS, 1)
    call.option("--steps", ["0.01"], ["0", "-1", "nan", "1e-300", "x"], 1)
    call.option("--digits", ["0", "20"], COUNTS, 1)
    call.option("--samples", ["1", "10"], COUNTS, 0.3)
    call.option("--index-form", ["index2", "rk4"], WORDS, 0.1)
    call.option("--runge-kutta", ["rk4", "index2"], WORDS, 0.1)
    call.file("-o", [".csv", ".json", ".npz"], 0.4)
    call.file("--plot", PICTURES, 0.2)
    call.file("--report", [".html"], 0.1)


def stability(call):
    call.arguments.append(call.choose(["ellipse"], MODELS))
    call.option("--box", ["x=-1.1:1.1,y=-3.1:3.1"], ["x=1:0", "x=:", "=", "x=nan:1", "x=0:1", "z=0:1,x=0:1"])
    for name in ("--a", "--epsilon", "--step"):
        call.option(name, ["0.5", "0.01"], REALS)


def models(call):
    if call.dice.random() < 0.5:
        call.arguments += ["show", call.choose(MODELS, ["nothing", "", "deep", "broken.toml"])]
    call.flag("--json")


def import_(call):
    call.arguments.append(call.choose(["arm.urdf"], ["nothing", "broken.toml", "deep", ""]))
    call.option("--set", ["joint1=0.5"], SETTINGS)
    call.file("-o", [".toml", ".toml", ""], 0.6)


COMMANDS = {"run": run, "check": check, "equations": equations, "series": series, "compare": compare,
            "stability": stability, "models": models, "import": import_}
WEIGHTS = [12, 2, 2, 2, 2, 1, 1, 2]


def random_call(dice):
    call = Call(dice)
    name = dice.choices(list(COMMANDS), WEIGHTS)[0]
    COMMANDS[name](call)
    if dice.random() < 0.05:
        call.arguments.insert(dice.randrange(len(call.arguments) + 1), dice.choice(WORDS))
    if dice.random() < 0.05 and call.arguments:
        del call.arguments[dice.randrange(len(call.arguments))]
    call.arguments.insert(0, name)
    call.arguments = [word.replace("\0", "") for word in call.arguments]
    return call
