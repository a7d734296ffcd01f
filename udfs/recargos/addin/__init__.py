"""The add-ins that a person installs: building them from sources, installing them, finding what is wrong."""
