"""Models: where they come from, what they say of themselves, what is refused."""

import copy
import pickle
from fractions import Fraction

import numpy as np
import pytest

import dalembert as dal


def pendulum(**parts):
    return dal.Model(
        coordinates={"x": 1.0, "y": 0.0},
        parameters={"l": 1.0, "m": 1.0, "g": 9.81},
        kinetic="m/2*(x'^2 + y'^2)",
        potential="m*g*y",
        holonomic={"rod": "x^2 + y^2 = l^2"},
        **parts,
    )


def test_a_model_comes_from_a_name_a_file_or_a_text(tmp_path):
    shipped = dal.Model.load("slider_crank")
    assert shipped.title == "Slider-crank"
    assert shipped.coordinates == ["theta1", "theta2"]
    assert shipped.constraints == ["slider_on_axis"]
    file = tmp_path / "crank.toml"
    file.write_text(shipped.text)
    for other in (dal.Model.load(file), dal.Model.load(str(file)), dal.Model.load(shipped.text)):
        assert other.coordinates == shipped.coordinates
        np.testing.assert_array_equal(other.run((0, 1)).numbers, shipped.run((0, 1)).numbers)


def test_keywords_say_the_same_as_the_file():
    from_file = dal.Model.load(
        """
        [parameters]
        l = 1.0
        m = 1.0
        g = 9.81
        [coordinates]
        x = 1.0
        y = 0.0
        [energy]
        kinetic = "m/2*(x'^2 + y'^2)"
        potential = "m*g*y"
        [constraints]
        holonomic = { rod = "x^2 + y^2 = l^2" }
        """
    )
    np.testing.assert_array_equal(pendulum().run((0, 2)).numbers, from_file.run((0, 2)).numbers)


def test_bodies_and_joints_are_keywords_too():
    bar = dal.Model(
        space="plane",
        parameters={"l": 1},
        bodies={"bar": {"shape": "rod", "length": "l", "mass": 2, "position": ["l/2", 0]}},
        joints={"pin": {"type": "revolute", "bodies": ["ground", "bar"], "point": [0, 0]}},
        force_elements={"weight": {"type": "gravity"}},
        outputs={"tip_y": "bar.y + l/2*sin(bar.angle)"},
    )
    check = bar.check()
    assert check.degrees_of_freedom == 1
    assert check.data["constraints"][1]["lambda"] == pytest.approx(-4.905)
    assert bar.run((0, 1)).success


def test_other_parameters_give_what_a_new_model_gives():
    for name, values in (("pendulum", {"l": 0.5}), ("slider_crank", {"l1": 0.3, "torque": 7.25})):
        other = dal.Model.load(name).with_parameters(values)
        fresh = dal.Model.load(name, **values)
        np.testing.assert_array_equal(other.run((0, 1)).numbers, fresh.run((0, 1)).numbers)
        assert other.parameters == fresh.parameters
        assert str(other.check()) == str(fresh.check())
        assert str(other.equations.with_numbers()) == str(fresh.equations.with_numbers())


def test_other_parameters_of_other_parameters():
    model = dal.Model.load("pendulum")
    twice = model.with_parameters(l=3).with_parameters(l=0.5)
    np.testing.assert_array_equal(twice.run((0, 1)).numbers, model.with_parameters(l=0.5).run((0, 1)).numbers)
    np.testing.assert_array_equal(model.run((0, 1)).numbers, dal.Model.load("pendulum").run((0, 1)).numbers)


def test_a_kinematic_model_takes_other_parameters_too():
    ellipse = dal.Model.load("ellipse")
    name, value = next(iter(ellipse.parameters.items()), (None, None))
    if name is None:
        pytest.skip("it has no parameters")
    assert ellipse.with_parameters({name: value * 1.1}).parameters[name] == value * 1.1


def test_other_starts():
    run = dal.Model.load("pendulum").with_start({"theta": "pi/3", "theta'": 2}).run((0, 1))
    assert run["theta"][0] == pytest.approx(np.pi / 3, abs=1e-15)
    assert run["theta'"][0] == 2


@pytest.mark.parametrize("name", ["slider_crank", "pendulum", "andrews", "ellipse"])
def test_models_pickle_by_their_text(name):
    model = dal.Model.load(name)
    other = pickle.loads(pickle.dumps(model))
    assert other == model and hash(other) == hash(model)
    assert copy.deepcopy(model) == model
    np.testing.assert_array_equal(other.run((0, 0.01)).numbers, model.run((0, 0.01)).numbers)


def test_a_pickled_model_keeps_its_parameters():
    model = dal.Model.load("pendulum").with_parameters(l=0.1)
    other = pickle.loads(pickle.dumps(model))
    assert other.parameters["l"] == 0.1
    assert other == model != dal.Model.load("pendulum")
    np.testing.assert_array_equal(other.run((0, 1)).numbers, model.run((0, 1)).numbers)


def test_numbers_of_keywords_are_exact():
    model = dal.Model(
        coordinates={"x": np.float64(0.1)},
        parameters={"k": Fraction(1, 3), "n": np.int64(2)},
        kinetic="n*x'^2/2",
        potential="k*x^2",
    )
    assert model.parameters == {"k": 1 / 3, "n": 2.0}
    assert model.series(2, exact=True)["x"] == [Fraction(1, 10), 0, Fraction(-1, 60)]


def test_series_in_fractions_and_digits():
    oscillator = dal.Model(coordinates={"x": 1}, kinetic="x'^2/2", potential="x^2/2")
    exact = oscillator.series(20, exact=True)["x"]
    factorial = 1
    for k in range(0, 21, 2):
        factorial *= max(1, k * (k - 1))
        assert exact[k] == Fraction((-1) ** (k // 2), factorial)
    digits = oscillator.series(20, digits=50)["x"]
    assert abs(Fraction(digits[20]) / exact[20] - 1) < Fraction(1, 10**49)
    assert oscillator.series(4)["x"][4] == pytest.approx(1 / 24, rel=1e-15)


def test_fractions_are_as_long_as_they_are():
    start = Fraction(3, 7**200)
    hard = dal.Model(coordinates={"x": "3/7^200"}, kinetic="x'^2/2", potential="x^4/4")
    wanted = [start, Fraction(0)]  # (k+1)(k+2) x_{k+2} = −Σ x_i x_j x_{k−i−j}
    for k in range(29):
        cubes = (wanted[i] * wanted[j] * wanted[k - i - j] for i in range(0, k + 1, 2) for j in range(0, k - i + 1, 2))
        wanted.append(-sum(cubes) / ((k + 1) * (k + 2)))
    assert wanted[30].denominator > 10**4300  # of which Python refuses to make a number from a text
    assert hard.series(30, exact=True)["x"] == wanted


def test_check_knows_redundancy():
    check = pendulum().check()
    assert (check.degrees_of_freedom, check.index, check.rank, check.redundant) == (1, 3, 1, [])
    assert check.start == {"x": 1.0, "y": 0.0, "x'": 0.0, "y'": 0.0}
    assert check.ok and "degrees of freedom" in str(check) and "<table>" in check._repr_html_()
    doubled = dal.Model(
        coordinates={"x": 1, "y": 0}, kinetic="(x'^2 + y'^2)/2", holonomic=["x^2 + y^2 = 1", "2*x^2 + 2*y^2 = 2"]
    )
    with pytest.warns(dal.Warning):
        assert len(doubled.check().redundant) == 1


def test_compare_and_stability():
    comparison = dal.Model.load("pendulum").compare(["rk4", "adomian"], (0, 1), tolerances=[1e-8], steps=[1e-3])
    assert [run["method"] for run in comparison.runs] == ["rk4", "adomian"]
    assert comparison.confirmed
    assert comparison.to_csv().count("\n") >= 3
    stability = dal.Model.load("ellipse").stability()
    assert "step" in str(stability) and stability.data


def test_import_urdf(tmp_path):
    robot = tmp_path / "arm.urdf"
    robot.write_text(
        """<robot name="arm"><link name="world"/>
        <link name="rod"><inertial><origin xyz="0 0 -0.5"/><mass value="1"/>
        <inertia ixx="0.1" iyy="0.1" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
        <joint name="hinge" type="continuous"><parent link="world"/><child link="rod"/><axis xyz="0 1 0"/></joint>
        </robot>"""
    )
    model = dal.import_urdf(robot, start={"hinge": 0.3})
    assert model.check().degrees_of_freedom == 1
    assert "[[body]]" in model.text
    assert model.run((0, 1)).success


def test_shipped_models_are_listed_and_load():
    models = dal.shipped_models()
    assert {"slider_crank", "pendulum", "andrews"} <= set(models)
    for name in models:
        assert dal.Model.load(name).title == models[name]


@pytest.mark.parametrize(
    "name, start", [("pendulum", {"theta": 1.5, "theta'": -2}), ("slider_crank_bodies", {"crank.angle": np.float64(0.5)})]
)
@pytest.mark.filterwarnings("ignore")  # of a start off the constraints
def test_other_starts_are_those_of_a_model_that_is_read_with_them(name, start):
    model = dal.Model.load(name)
    fresh = dal.Model.load(name, **start).run((0, 0.1)).numbers
    for other in (model.with_start(start), model.with_start(start).with_start(start), pickle.loads(pickle.dumps(model.with_start(start)))):
        np.testing.assert_array_equal(other.run((0, 0.1)).numbers, fresh)
        assert other.parameters.keys() == model.parameters.keys()
    with_both = model.with_start(start).with_parameters(l=0.5) if name == "pendulum" else model.with_start(start)
    assert with_both.run((0, 0.1)).q[0].tolist() == fresh[0, 1 : 1 + len(model.coordinates)].tolist()


def test_starts_that_are_not_numbers_are_read():
    model = dal.Model.load("pendulum")
    assert model.with_start(theta="pi/4").run((0, 0.1)).q[0, 0] == np.pi / 4
    assert model.with_start(theta=Fraction(1, 3)).run((0, 0.1)).q[0, 0] == 1 / 3
    assert model.with_start(theta=1).with_start(theta="2").run((0, 0.1)).q[0, 0] == 2
    with pytest.raises(dal.ModelError, match="no parameter or coordinate"):
        model.with_start(thet=1)
    with pytest.raises(ValueError):
        model.with_start(theta=float("nan"))
