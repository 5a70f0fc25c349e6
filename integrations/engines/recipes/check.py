"""Runs the commands of the recipes and compares what they print.

    SITEMAP=…/sitemap python3 integrations/engines/recipes/check.py

Run it with a Python that has the packages. The commands use another folder than `/tmp`, and do not install packages.
"""

import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    with open(f"{HERE}/README.md") as file:
        blocks = re.findall(r"^```(sh|text)\n(.*?)^```$", file.read(), re.M | re.S)
    with tempfile.TemporaryDirectory(prefix="sitemap-recipes-") as folder:
        os.makedirs(f"{folder}/recipes")
        os.symlink(os.path.abspath(os.environ["SITEMAP"]), f"{folder}/sitemap")
        for name in ("changes.sql", "writer.py"):
            with open(f"{HERE}/{name}") as file, open(f"{folder}/{name}", "w") as copy:
                copy.write(file.read().replace("/tmp/", f"{folder}/"))
        env = os.environ | {"PATH": os.pathsep.join([folder, os.path.dirname(sys.executable), os.environ["PATH"]])}
        exports, printed = "", ""
        for language, content in blocks:
            content = content.replace("/tmp/", f"{folder}/")
            if language == "text":
                if content.strip() not in printed:
                    sys.exit(f"error: not printed: {content}printed:\n{printed}")
            elif "pip install" not in content:
                ran = subprocess.run(["bash", "-euc", exports + content], cwd=folder, env=env, capture_output=True, text=True)
                printed = ran.stdout + ran.stderr
                if ran.returncode:
                    sys.exit(f"error: status {ran.returncode} of:\n{content}\n{printed}")
                exports += "".join(re.findall(r"^export .*\n", content, re.M))
        print(f"recipes: {len(blocks)} blocks do what they say")


main()
