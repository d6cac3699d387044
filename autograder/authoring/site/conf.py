"""Sphinx's settings for the web book; `course site` copies this file beside the pages."""

import json
from pathlib import Path

SETTINGS = json.loads(Path(__file__).with_name("settings.json").read_text(encoding="utf-8"))

project = "Parallel TensorFlow"
author = copyright = "The authors of Parallel TensorFlow"
release = SETTINGS["release"]
extensions = ["myst_nb"]
exclude_patterns = ["_build"]

nb_execution_cache_path = str(Path(__file__).parent.with_name("cache"))
nb_execution_mode = "off"  # `course site` runs the lessons itself, side by side, and keeps what they showed
nb_merge_streams = True
nb_render_markdown_format = "gfm"
nb_mime_priority_overrides = [("*", "application/vnd.jupyter.widget-view+json", None)]
nb_code_prompt_show = "Show the code"
nb_code_prompt_hide = "Hide the code"
myst_heading_anchors = 4
myst_heading_slug_func = "autograder.authoring.site.slug"

suppress_warnings = [
    "myst.header",  # an exercise's heading is one level below its section's, or two
    "mystnb.unknown_mime_type",  # a widget has a still picture instead
    *([] if SETTINGS["whole"] else ["myst.xref_missing"]),  # a lesson alone has links to others
]
html_theme = "sphinx_book_theme"
html_title = project
html_favicon = None
html_static_path = ["_static"]
html_css_files = ["course.css"]
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {
    "home_page_in_toc": True,
    "show_navbar_depth": 1,
    "show_toc_level": 2,
    "use_download_button": False,
    "use_fullscreen_button": False,
    "use_sidenotes": False,
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
    **({"repository_url": SETTINGS["repository"], "use_repository_button": True} if SETTINGS["repository"] else {}),
}
