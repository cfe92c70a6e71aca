"""What a notebook shows of a run or a study: the report's page, in a frame that needs no network."""

from __future__ import annotations

import html
import os
import tempfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .run import Run
    from .study import StudyResults


def page_in_frame(shown: Run | StudyResults, height: int = 760) -> str:
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "page.html")
        shown.report(file)
        with open(file, encoding="utf-8") as page:
            text = page.read()
    style = f"width: 100%; height: {height}px; border: 0; background: white"
    # in ASCII: the page's security policy holds the hash of its script, whatever encoding the notebook has
    escaped = html.escape(text).encode("ascii", "xmlcharrefreplace").decode("ascii")
    return f'<iframe class="dalembert-run" srcdoc="{escaped}" style="{style}"></iframe>'
