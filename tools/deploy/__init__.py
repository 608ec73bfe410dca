"""Do the programs that the files below `deploy/` are written for understand them?

    make deploy-check

Each file is read by its own program or by that program's schema, and held against what only we know: settings that exist,
images without a host, containers that are not root and change nothing of themselves.
"""
