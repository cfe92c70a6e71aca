"""A notebook in JupyterLab in Chromium: a model shows its equations, a run its page in a frame, a check its table."""

import base64
import json
import os
import shutil
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

pytest.importorskip("jupyterlab", reason="no JupyterLab")
nbformat = pytest.importorskip("nbformat")
websocket = pytest.importorskip("websocket", reason="no websocket-client")

CHROMIUM = shutil.which("chromium")
CELLS = [
    "import dalembert as dal\ncrank = dal.Model.load('slider_crank')\ncrank",
    "crank.check()",
    "crank.run((0, 1))",
    "crank.equations.M",
    "crank.series(4)",
    "crank.sweep({'l1': [0.1, 0.2, 0.3]}, collect=\"max(theta1'), end(theta2)\", t_span=1)",
]
# What of the notebook is there: formulas, tables, pictures in the frame of a run.
LOOK = """(() => {
  const all = (selector, root = document) => root.querySelectorAll(".jp-OutputArea-output " + selector);
  const pages = [...all("iframe")].map(frame => frame.contentDocument).filter(page => page && page.querySelector("h1"));
  return JSON.stringify({
    formulas: all("mjx-container").length,
    tables: all("pre, table").length,
    titles: pages.map(page => page.querySelector("h1").textContent),
    pictures: pages.map(page => page.querySelectorAll("svg, canvas").length),
  });
})()"""


def wait_for(what, ask, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        answer = ask()
        if answer:
            return answer
        time.sleep(0.2)
    pytest.fail(f"{what} took more than {seconds} s")


class Page:
    """A page of Chromium, by its DevTools protocol."""

    def __init__(self, folder):
        words = ["--headless=new", "--no-sandbox", "--disable-gpu", "--use-angle=swiftshader"]
        words += ["--remote-debugging-port=0", "--remote-allow-origins=*", "--window-size=1200,1800"]
        self.process = subprocess.Popen(
            [CHROMIUM, *words, f"--user-data-dir={folder}", "about:blank"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        place = folder / "DevToolsActivePort"
        port = wait_for("Chromium", lambda: place.exists() and place.read_text().split("\n")[0])
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/json") as answer:
            pages = [one for one in json.load(answer) if one["type"] == "page"]
        self.socket = websocket.create_connection(pages[0]["webSocketDebuggerUrl"], timeout=60)
        self.calls = 0

    def call(self, method, **parameters):
        self.calls += 1
        self.socket.send(json.dumps({"id": self.calls, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self.socket.recv())
            if answer.get("id") == self.calls:
                return answer["result"]

    def evaluate(self, script):
        return self.call("Runtime.evaluate", expression=script)["result"].get("value")

    def close(self):
        self.socket.close()
        self.process.terminate()
        self.process.wait(20)


@pytest.fixture
def lab(tmp_path):
    environment = {**os.environ, "HOME": str(tmp_path), "JUPYTER_PLATFORM_DIRS": "1"}
    jupyter = [sys.executable, "-m"]
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
    nbformat.write(book, tmp_path / "crank.ipynb")
    execute = [*jupyter, "jupyter", "nbconvert", "--to", "notebook", "--execute", "--inplace", "crank.ipynb"]
    subprocess.run(execute, check=True, cwd=tmp_path, env=environment, capture_output=True, timeout=120)
    # JupyterLab shows frames of notebooks that it trusts
    subprocess.run([*jupyter, "jupyter", "trust", "crank.ipynb"], check=True, cwd=tmp_path, env=environment, timeout=60)
    call = [*jupyter, "jupyterlab", "--no-browser", "--allow-root", "--port=0", "--IdentityProvider.token="]
    with open(tmp_path / "log", "wb") as log:
        server = subprocess.Popen(call, cwd=tmp_path, env=environment, stderr=log, stdout=log)
    try:
        files = tmp_path.rglob

        def address():
            found = list(files("jpserver-*.json"))
            return found and json.loads(found[0].read_text() or "{}").get("url")

        yield wait_for("JupyterLab", address)
    finally:
        server.terminate()
        server.wait(20)


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium")
def test_a_notebook_shows_models_checks_and_runs(lab, tmp_path):
    page = Page(tmp_path / "profile")
    try:
        page.call("Page.navigate", url=f"{lab}lab/tree/crank.ipynb?reset")

        def seen():
            found = json.loads(page.evaluate(LOOK) or "{}")
            is_there = len(found.get("pictures", [])) == 2 and all(found["pictures"]) and found["formulas"] >= 4
            return found if is_there and found["tables"] else None

        found = wait_for("the notebook", seen, 120)
        kept = os.environ.get("DALEMBERT_SCREENSHOT")
        if kept:
            for number in range(len(CELLS)):
                page.evaluate(f"document.querySelectorAll('.jp-OutputArea')[{number}].scrollIntoView()")
                time.sleep(2)
                file = Path(kept).with_stem(f"{Path(kept).stem}{number}")
                file.write_bytes(base64.b64decode(page.call("Page.captureScreenshot")["data"]))
        assert all(title.startswith("Slider-crank") for title in found["titles"])
        assert found["pictures"][0] >= 2 and found["tables"] >= 1
    finally:
        page.close()
