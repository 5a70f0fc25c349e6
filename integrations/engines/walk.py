"""Does what sections of README.md say: runs their `sh` blocks in order, and compares what they print with the `text` blocks
that follow.

    SITEMAP=…/sitemap SITEMAP_SQL=…/sitemap-sql EXAMPLES=…/examples python3 integrations/engines/walk.py SECTION…

The commands run in a copy of this folder, with another folder in place of `/tmp/`. Programs are those of the variables, and
commands that install or build something print that they are skipped.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
COPIED = ["dbt", "delta", "duckdb", "examples", "iceberg"]
CARGO = """#!/bin/sh
case "$1 $3" in
"run --example") name="$4"; shift 5; exec "$EXAMPLES/$name" "$@";;
*) echo "skipped: cargo $*" >&2;;
esac
"""


def section(text, heading):
    found = re.search(rf"^(#+) {re.escape(heading)}\n(.*?)(?=^#{{1,4}} |\Z)", text, re.M | re.S)
    assert found, f"README.md has no section `{heading}`"
    return found[2]


def prepare(folder):
    """Copies the files that commands name, and makes a folder of programs. Returns the environment."""
    for name in COPIED:
        source = os.path.join(HERE, name)
        if not os.path.isdir(source):
            continue
        shutil.copytree(source, f"{folder}/engines/{name}", ignore=shutil.ignore_patterns("target", "logs", "__pycache__"))
    for parent, _, files in os.walk(f"{folder}/engines"):
        for name in files:
            with open(f"{parent}/{name}") as file:
                text = file.read()
            with open(f"{parent}/{name}", "w") as file:
                file.write(text.replace("/tmp/", f"{folder}/tmp/"))
    os.makedirs(f"{folder}/tmp")
    os.makedirs(f"{folder}/bin")
    for name, variable in [("sitemap", "SITEMAP"), ("sitemap-sql", "SITEMAP_SQL")]:
        os.symlink(os.path.abspath(os.environ[variable]), f"{folder}/bin/{name}")
    for name, script in [("cargo", CARGO), ("pip", '#!/bin/sh\necho "skipped: pip $*" >&2\n')]:
        with open(f"{folder}/bin/{name}", "w") as file:
            file.write(script)
        os.chmod(f"{folder}/bin/{name}", 0o755)
    # The programs of this Python's environment come next, such as `dbt` and `duckdb`.
    path = os.pathsep.join([f"{folder}/bin", os.path.dirname(sys.executable), os.environ["PATH"]])
    return os.environ | {"PATH": path, "DBT_SEND_ANONYMOUS_USAGE_STATS": "false"}


def walk(text, folder, env):
    ran = None
    exports = ""
    count = 0
    for block in re.finditer(r"^```(sh|text)\n(.*?)^```$", text, re.M | re.S):
        language, content = block.groups()
        content = content.replace("/tmp/", f"{folder}/tmp/")
        if language == "text":
            shown = (ran.stdout + ran.stderr) if ran else ""
            missing = [line for line in content.splitlines() if line.strip() and line not in shown]
            if missing:
                sys.exit(f"error: not printed: {missing[0]}\nprinted:\n{shown}")
            continue
        ran = subprocess.run(
            ["bash", "-euc", exports + content], cwd=f"{folder}/engines", env=env, capture_output=True, text=True, timeout=600
        )
        if ran.returncode:
            sys.exit(f"error: status {ran.returncode} of:\n{content}\n{ran.stdout}{ran.stderr}")
        # A reader's shell keeps its variables.
        exports += "".join(re.findall(r"^export .*\n", content, re.M))
        count += 1
    assert count, "the section has no commands"
    return count


def main():
    with open(f"{HERE}/README.md") as file:
        text = file.read()
    with tempfile.TemporaryDirectory(prefix="sitemap-walk-") as folder:
        env = prepare(folder)
        for heading in sys.argv[1:]:
            print(f"{heading}: {walk(section(text, heading), folder, env)} blocks of commands", flush=True)


if __name__ == "__main__":
    main()
