"""JupyterHub for one class on one machine: a teacher with Formgrader, learners with the Assignment List.

Each person's server is a process of their own account. What may differ is read from the environment (README.md).
"""

import os
import shutil
import sys
import tomllib
from pathlib import Path

import autograder

c = get_config()  # type: ignore[name-defined]  # noqa: F821

here = Path(__file__).resolve().parent
course = Path(os.environ.get("COURSE_HUB_COURSE", here.parent.parent))
state = Path(os.environ.get("COURSE_HUB_STATE", "/srv/course-hub"))
teacher = os.environ.get("COURSE_HUB_TEACHER", "teacher")
learners = os.environ.get("COURSE_HUB_LEARNERS", "").split()

chosen = tomllib.loads((course / "pyproject.toml").read_text(encoding="utf-8")).get("tool", {}).get("course", {})
exchange = chosen.get("exchange", "")
if not exchange or chosen.get("exchange_for_everyone") is not True:
    sys.exit(
        "Set exchange and exchange_for_everyone = true in [tool.course] of pyproject.toml: accounts share a folder."
    )

c.JupyterHub.bind_url = os.environ.get("COURSE_HUB_URL", "http://127.0.0.1:8000")
c.JupyterHub.db_url = f"sqlite:///{state}/jupyterhub.sqlite"
c.JupyterHub.cookie_secret_file = str(state / "cookie_secret")
c.ConfigurableHTTPProxy.command = [str(here / "node_modules" / ".bin" / "configurable-http-proxy")]
c.ConfigurableHTTPProxy.pid_file = str(state / "proxy.pid")

# Who may come in: accounts of this machine, with its passwords. On a real site: its own sign-on.
c.JupyterHub.authenticator_class = os.environ.get("COURSE_HUB_AUTHENTICATOR", "pam")
c.Authenticator.allowed_users = {teacher, *learners}
if "COURSE_HUB_PASSWORD" in os.environ:  # for a trial on a machine of its own: one password for all
    c.DummyAuthenticator.password = os.environ["COURSE_HUB_PASSWORD"]

c.JupyterHub.spawner_class = "jupyterhub.spawner.LocalProcessSpawner"
c.Spawner.cmd = [sys.executable, "-m", "jupyterhub.singleuser"]
c.Spawner.default_url = "/lab"
c.Spawner.start_timeout = c.Spawner.http_timeout = 180

# Learners' settings lie where they may read: the course itself has the answers, and is closed to them. The package's
# own server extension answers the Validate button, in a process of its own and as the course grades.
package = Path(autograder.__file__).parent
settings = state / "learner"
settings.mkdir(parents=True, exist_ok=True)
shutil.copy(here / "learner_nbgrader_config.py", settings / "nbgrader_config.py")
shutil.copy(package / "jupyter_server_config.json", settings)
for folder in (state, settings):
    folder.chmod(0o711 if folder == state else 0o755)
for file in settings.iterdir():
    file.chmod(0o644)

# What `course teacher` makes elsewhere: the class's folder and the exchange, both of the account that owns the course.
# The exchange is sticky: the class's folder in it stays the teacher's.
owner = course.stat()
for folder, mode in ((course / "classroom", 0o700), (Path(exchange), 0o1777)):
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        sys.exit(f"{folder} has to be a folder, and no link to one: root opens it to others. Name another one.")
    if not folder.exists():
        folder.mkdir()
        os.chown(folder, owner.st_uid, owner.st_gid, follow_symlinks=False)
        folder.chmod(mode)


def settings_of(spawner):
    """The teacher works in the course; learners in their own homes, and know of the exchange alone."""
    if spawner.user.name == teacher:
        profile = package / "learning" / "profile" / "teacher"
        spawner.notebook_dir = str(course)
        spawner.environment["JUPYTER_CONFIG_PATH"] = f"{profile}:{course / 'autograder'}"
    else:
        spawner.environment["JUPYTER_CONFIG_PATH"] = str(settings)
        spawner.environment["COURSE_EXCHANGE"] = exchange
    spawner.environment["PATH"] = f"{Path(sys.executable).parent}:{os.environ.get('PATH', os.defpath)}"


c.Spawner.pre_spawn_hook = settings_of
