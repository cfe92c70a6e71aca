"""Installs FMPy in a fresh environment and runs the checks of functional mock-up units there.

    in_fresh_environment.py PROGRAM WORK

Exit status 77: pip gets no packages.
"""

import shutil
import subprocess
import sys
from pathlib import Path

PACKAGES = ["fmpy==0.3.32", "pytest"]
NO_PACKAGES = 77


def make_environment(folder: Path) -> Path:
    python = folder / "bin" / "python"
    if (folder / "complete").exists():
        return python
    shutil.rmtree(folder, ignore_errors=True)
    base = next(p for p in ("/usr/bin/python3", sys.executable) if Path(p).exists())
    try:
        subprocess.run([base, "-m", "venv", str(folder)], check=True)
        subprocess.run(
            [str(python), "-m", "pip", "--quiet", "--disable-pip-version-check", "install", *PACKAGES], check=True
        )
    except subprocess.CalledProcessError:
        print("FMPy cannot be installed here: functional mock-up units are NOT tested", flush=True)
        sys.exit(NO_PACKAGES)
    (folder / "complete").touch()
    return python


def main(program: Path, work: Path) -> None:
    work.mkdir(parents=True, exist_ok=True)
    python = make_environment(work / "environment")
    tests = Path(__file__).with_name("fmu_checks.py")
    command = [str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tests), "--program", str(program)]
    sys.exit(subprocess.run(command, cwd=work, check=False).returncode)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve())
