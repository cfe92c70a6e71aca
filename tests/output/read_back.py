#!/usr/bin/env python3
"""Reads every file format back with NumPy and h5py and compares it: read_back.py DALEMBERT FOLDER

The trajectory itself is the CSV file, whose numbers are the shortest texts of the doubles, so all must be equal bit by bit;
and the motion is checked against the exact one of a circle in uniform rotation.
"""

import csv
import json
import os
import struct
import subprocess
import sys
import zlib

import h5py
import numpy as np

ARRAYS = ["q", "v", "a", "lam", "force", "outputs", "energies", "g", "gv"]
MODEL = """title = "Ünïform rotation"
[coordinates]
x = { position = 1, velocity = 0 }
y = { position = 0, velocity = 2 }
[energy]
kinetic = "(x'^2 + y'^2)/2"
[constraints]
holonomic = { circle = "x^2 + y^2 = 1" }
[outputs]
angle = "atan2(y, x)"
[solve]
duration = 1
output_step = 0.01
"""


def run(program, *arguments, status=0):
    done = subprocess.run([program, "run", *arguments, "--quiet"], capture_output=True, text=True)
    assert done.returncode == status, (arguments, done.returncode, done.stderr)


def read_csv(path):
    with open(path, encoding="utf-8") as file:
        rows = [row for row in csv.reader(file) if not row[0].startswith("#")]
    return rows[0], np.array([[float(cell) for cell in row] for row in rows[1:]])


def check(program, folder, model, *options, status=0):
    path = lambda suffix: os.path.join(folder, "run" + suffix)
    files = [part for suffix in (".csv", ".json", ".npz", ".h5") for part in ("-o", path(suffix))]
    run(program, model, *files, *options, status=status)
    names, table = read_csv(path(".csv"))
    columns = {name: table[:, i] for i, name in enumerate(names)}

    with open(path(".json"), encoding="utf-8") as file:
        record = json.load(file)
    assert list(record["series"]) == names
    for name in names:
        assert np.array_equal(np.array(record["series"][name]), columns[name]), name
    assert record["partial"] == (status != 0)
    assert record["summary"]["samples"] == len(table)

    arrays = np.load(path(".npz"))
    stored = h5py.File(path(".h5"))
    assert np.array_equal(arrays["t"], columns["t"]) and np.array_equal(stored["t"][:], columns["t"])
    for name in ARRAYS:
        if name not in arrays:
            continue
        labels = list(arrays[name + "_names"])
        assert labels == list(stored[name].attrs["names"])
        expected = np.stack([columns[label] for label in labels], axis=1)
        assert np.array_equal(arrays[name], expected), name
        assert np.array_equal(stored[name][:], expected), name
        assert stored[name].chunks and stored[name].compression == "gzip"
        assert stored["samples"][name] == stored[name]
    assert bool(arrays["partial"]) == bool(stored.attrs["partial"]) == (status != 0)
    assert stored.attrs["title"] == record["title"] == json.loads(str(arrays["summary"]))["title"]
    assert str(arrays["text"]) == record["text"] == stored["text"][()].decode()
    assert stored["model"]["text"] == stored["text"] and stored["run"]["summary"] == stored["summary"]
    return columns, record


def read_png(path):
    """Sums and sizes are checked; returns the pixels."""
    with open(path, "rb") as file:
        data = file.read()
    at, packed = 8, b""
    while at < len(data):
        size, = struct.unpack(">I", data[at:at + 4])
        name, content = data[at + 4:at + 8], data[at + 8:at + 8 + size]
        assert struct.unpack(">I", data[at + 8 + size:at + 12 + size])[0] == zlib.crc32(name + content)
        if name == b"IHDR":
            width, height = struct.unpack(">II", content[:8])
        if name == b"PLTE":
            colors = np.frombuffer(content, np.uint8).reshape(-1, 3)
        packed += content if name == b"IDAT" else b""
        at += 12 + size
    lines = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(height, 1 + width).copy()
    for above, line in zip(lines, lines[1:]):
        assert line[0] in (0, 2)  # as it is, or less the line above
        line[1:] += above[1:] if line[0] == 2 else 0
    return colors[lines[:, 1:]]


def check_picture(program, folder, model):
    path = os.path.join(folder, "picture.png")
    if subprocess.run([program, "run", model, "--plot", path, "--quiet"], capture_output=True).returncode != 0:
        return  # a build without FreeType or libpng
    pixels = read_png(path)
    has = lambda part, *color: (part == color).all(axis=2).any()
    assert (pixels[:8] == 255).all() and has(pixels, 11, 107, 203)  # paper, the first curve
    assert has(pixels[20:50, 148:400], 17, 17, 17)  # the title
    name = (pixels[120:420, :40] != 255).any(axis=2)  # of the axis, read from below
    assert name.any(axis=1).sum() > 3 * name.any(axis=0).sum() > 0
    run(program, "andrews", "--plot", path, "--columns", "q,v")  # more mixtures than numbers
    pixels = read_png(path)
    for color in ["0b6bcb", "d1570a", "118a5b", "b5318f", "8a6d00", "5b4fc4", "0f8b9d", "333333"]:
        assert has(pixels, *bytes.fromhex(color)), color


def main():
    program, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    model = os.path.join(folder, "rotation.toml")
    with open(model, "w", encoding="utf-8") as file:
        file.write(MODEL)

    columns, record = check(program, folder, model)
    t = columns["t"]
    assert np.array_equal(t, np.append(np.arange(100) * 0.01, 1)) and record["title"] == "Ünïform rotation"
    for name, exact in {"x": np.cos(2 * t), "y": np.sin(2 * t), "x'": -2 * np.sin(2 * t), "y'": 2 * np.cos(2 * t),
                        "x''": -4 * np.cos(2 * t), "lambda(circle)": 2 + 0 * t, "force(x)": -4 * np.cos(2 * t),
                        "angle": 2 * t, "energy": 2 + 0 * t, "g(circle)": 0 * t, "gv(circle)": 0 * t}.items():
        assert np.allclose(columns[name], exact, rtol=0, atol=1e-14), name

    columns, record = check(program, folder, model, "--duration", "100", "--max-steps", "1", "--every-step", status=2)
    assert record["summary"]["outcome"] == "stopped early" and len(columns["t"]) == 2
    columns, _ = check(program, folder, "andrews", "--times", "0.01,0.02,0.03")
    assert list(columns["t"]) == [0.01, 0.02, 0.03]
    columns, _ = check(program, folder, "andrews", "--columns", "beta*,lambda")
    assert list(columns)[:4] == ["t", "beta", "beta'", "beta''"] and len(columns) == 10
    # more than is held in memory: 220,001 x 12 doubles
    path = lambda suffix: os.path.join(folder, "long" + suffix)
    run(program, model, "--duration", "22", "--every", "1e-4", "--columns", "q,v,a,force,energies", "-o", path(".npz"),
        "-o", path(".h5"), "-o", path(".json"))
    arrays, stored = np.load(path(".npz")), h5py.File(path(".h5"))
    with open(path(".json"), encoding="utf-8") as file:
        series = json.load(file)["series"]
    assert arrays["t"].shape == (220001,)
    # on the circle all the time; the phase has errors of its own after some turns
    assert np.allclose((arrays["q"] ** 2).sum(axis=1), 1, rtol=0, atol=1e-14)
    early = arrays["t"] <= 1
    exact = np.stack([np.cos(2 * arrays["t"]), np.sin(2 * arrays["t"])], axis=1)
    assert np.allclose(arrays["q"][early], exact[early], rtol=0, atol=1e-14)
    for name in ["q", "v", "a", "force", "energies"]:
        assert np.array_equal(arrays[name], stored[name][:]), name
        assert np.array_equal(arrays[name], np.stack([series[label] for label in arrays[name + "_names"]], axis=1)), name
    check_picture(program, folder, model)
    print("CSV, JSON, NPZ and HDF5 agree")


main()
