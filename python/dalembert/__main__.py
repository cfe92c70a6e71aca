"""The command line program: python -m dalembert."""

from __future__ import annotations

import os
import sys


def main() -> None:
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "dalembert")
    models = os.path.join(os.path.dirname(program), "..", "models")
    environment = dict(os.environ)
    folders = [environment["DALEMBERT_MODELS"]] if environment.get("DALEMBERT_MODELS") else []
    environment["DALEMBERT_MODELS"] = os.pathsep.join([*folders, os.path.normpath(models)])
    sys.stdout.flush()
    os.execve(program, ["dalembert", *sys.argv[1:]], environment)


if __name__ == "__main__":
    main()
