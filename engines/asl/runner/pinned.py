"""The files of moto that are patched, as they must be for the patches to mean what they mean."""

import hashlib
import importlib
import importlib.metadata

VERSIONS = {"moto": "5.2.5", "jsonata-python": "0.7.1"}


def require_versions():
    for name, pinned in VERSIONS.items():
        found = importlib.metadata.version(name)
        if found != pinned:
            raise SystemExit(f"{name} is {found}, and the patches are made for {pinned}")


def require_original(module_name, pinned):
    """Imports a module of moto and sees to it that its file is the one that a patch was made for."""
    module = importlib.import_module(module_name)
    with open(module.__file__, "rb") as file:
        found = hashlib.sha256(file.read()).hexdigest()
    if found != pinned:
        raise SystemExit(f"{module_name} is not the file that its patch was made for: sha256 {found}")
    return module
