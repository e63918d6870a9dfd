"""The web site: an ASGI application that shows a database of results (the extra ``web``)."""
