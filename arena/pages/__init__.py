"""Pages and pictures for the browser: HTML and SVG made of values, without a server.

The static report and the web site draw with the same templates. Nothing here reads a database or a
clock; the only files that are read are the templates and style sheets of this package.
"""
