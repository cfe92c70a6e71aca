"""The command line program: python -m dalembert."""

from __future__ import annotations

import sys

from . import _dalembert


def main() -> None:
    sys.stdout.flush()
    sys.exit(_dalembert._command_line(["dalembert", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
