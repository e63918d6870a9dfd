"""Sphinx's configuration: the documentation site that ``make docs`` builds.

The folder of the sources is the project's, so that relative links work here as on a code host.
"""

from __future__ import annotations

import sys
from importlib.metadata import version as version_of
from pathlib import Path

import arena
import arena.core.bot

sys.path.insert(0, str(Path(__file__).parent))  # generated.py
arena.core.bot.AnyGame = arena.Game  # type: ignore[attr-defined]  # autodoc reads the annotations

project = "Arena"
version = release = version_of("arena-harness")
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "generated"]
root_doc = "docs/index"
include_patterns = ["docs/**.md", "[!R]*.md"]
exclude_patterns = [".*", "docs/_*"]
highlight_language = "none"

myst_enable_extensions = ["deflist"]
myst_heading_anchors = 4
autodoc_default_options = {"members": True}
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
napoleon_use_ivar = True
add_module_names = False
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 80

html_theme = "furo"
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": "#a9420f",
        "color-brand-content": "#a9420f",
        "color-brand-visited": "#a9420f",
        "color-background-primary": "#fffdf9",
        "color-background-secondary": "#f5f3ee",
        "color-background-hover": "#ece8df",
        "color-background-border": "#dcd7cb",
        "color-foreground-primary": "#1d2326",
        "color-foreground-secondary": "#596166",
        "color-foreground-muted": "#596166",
        "color-foreground-border": "#8b8a83",
    },
    "dark_css_variables": {
        "color-brand-primary": "#f2965a",
        "color-brand-content": "#f2965a",
        "color-brand-visited": "#f2965a",
        "color-background-primary": "#1a1f21",
        "color-background-secondary": "#121617",
        "color-background-hover": "#262c2e",
        "color-background-border": "#33393b",
        "color-foreground-primary": "#ebe8e0",
        "color-foreground-secondary": "#a5acab",
        "color-foreground-muted": "#a5acab",
        "color-foreground-border": "#6f7777",
    },
}
html_title = "Arena"
html_static_path = ["_static"]
html_extra_path = ["_start"]
html_css_files = ["site.css"]
templates_path = ["_templates"]
html_copy_source = False
html_show_search_summary = False  # it would fetch pages, which browsers refuse from file:
html_domain_indices = False
