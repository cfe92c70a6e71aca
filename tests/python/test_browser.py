"""What a notebook shows of a run, in Chromium: the frame's page draws itself, its security policy notwithstanding."""

import re
import shutil
import subprocess

import pytest

import dalembert as dal

CHROMIUM = shutil.which("chromium")
LOOK = """<pre id="seen"></pre><script>
const frame = document.querySelector("iframe");
const timer = setInterval(() => {
  const page = frame.contentDocument;
  const pictures = page.querySelectorAll("svg, canvas").length;
  if (pictures === 0) return;
  clearInterval(timer);
  document.getElementById("seen").textContent = `${page.querySelector("h1").textContent}: ${pictures} pictures`;
}, 100);
</script>"""


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium")
def test_a_run_in_a_frame_draws_itself(tmp_path):
    run = dal.Model.load("slider_crank").run((0, 1))
    page = tmp_path / "cell.html"
    page.write_text(f"<html><body>{run._repr_html_()}{LOOK}</body></html>", encoding="utf-8")
    call = [
        CHROMIUM,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--use-angle=swiftshader",
        f"--user-data-dir={tmp_path}/p",
    ]
    call += ["--virtual-time-budget=30000", "--dump-dom", page.as_uri()]
    shown = subprocess.run(call, capture_output=True, text=True, timeout=120).stdout
    seen = re.search(r'<pre id="seen">(.*?)</pre>', shown).group(1)
    assert re.fullmatch(r"Slider-crank.*: [1-9]\d* pictures", seen), seen
