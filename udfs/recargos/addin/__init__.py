"""The add-ins that a person installs: building them from the sources in the tree, installing, and finding what is wrong."""
