"""Whether a file of results is whole, by its suffix. Each check raises where it is not."""

import json
import os
import xml.dom.minidom
import zipfile


def check_csv(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    assert text.endswith("\n"), "the last line is cut"
    rows = [line.split(",") for line in text.splitlines() if not line.startswith("#")]
    assert len({len(row) for row in rows}) == 1, "rows of different lengths"


def check_json(path):
    with open(path, encoding="utf-8") as file:
        json.load(file)


def check_npz(path):
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None, "a checksum is wrong"


def check_h5(path):
    with open(path, "rb") as file:
        head = file.read(48)
    assert head[:8] == b"\x89HDF\r\n\x1a\n", "no HDF5"
    end = int.from_bytes(head[40:48], "little") if head[8] == 0 else os.path.getsize(path)
    assert end <= os.path.getsize(path), "shorter than its superblock says"


def check_svg(path):
    xml.dom.minidom.parse(path)


def check_png(path):
    with open(path, "rb") as file:
        data = file.read()
    assert data.startswith(b"\x89PNG") and data[-8:-4] == b"IEND", "no whole PNG"


def check_html(path):
    with open(path, encoding="utf-8") as file:
        assert file.read().rstrip().endswith("</html>"), "the page is cut"


def check_toml(path):
    with open(path, encoding="utf-8") as file:
        assert file.read().endswith("\n"), "the last line is cut"


CHECKS = {".csv": check_csv, ".json": check_json, ".npz": check_npz, ".h5": check_h5, ".svg": check_svg,
          ".png": check_png, ".html": check_html, ".toml": check_toml}


def check_whole(path):
    check = CHECKS.get(os.path.splitext(path)[1])
    if check:
        check(path)
