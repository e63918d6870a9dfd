"""The content of each page, made of what the service gives."""
