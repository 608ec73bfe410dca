"""The container file and the compose files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tools.deploy.files import DEPLOY, complaints, documents, every, has_a_host, program, unknown_settings

FOLDER = DEPLOY / "compose"
# What is added to the first one builds on it.
COMPOSE = (FOLDER / "compose.yaml", FOLDER / "bus.yaml")
EXAMPLE = FOLDER / ".env.example"
SEALED = ("app", "migrate", "bus")
# What must not stand in a file.
_SECRET = re.compile(r"PASSWORD|SECRET|TOKEN")
# A variable of `.env`.
_ASKED = re.compile(r"\$\{(\w+)")
_IN_ADDRESS = re.compile(r"^(\w+)://(?:[^/@:]*:(?P<secret>[^/@]*)@)?")


def container_file() -> list[str]:
    """the container file, by hadolint"""
    file = DEPLOY / "container" / "Containerfile"
    return complaints(program("hadolint"), "--no-color", str(file)) + unknown_settings(file)


def yaml_files() -> list[str]:
    """every YAML file, by yamllint"""
    return complaints(program("yamllint"), "--strict", "-c", str(DEPLOY / ".yamllint.yaml"), str(DEPLOY))


def compose_schema() -> list[str]:
    """the compose files, by the schema of the Compose Specification"""
    return complaints(program("check-jsonschema"), "--builtin-schema", "vendor.compose-spec", *map(str, COMPOSE))


def compose_rules(files: Sequence[Path] = COMPOSE) -> list[str]:
    """the compose files: settings that exist, images without a host, ours sealed, secrets from outside, scripts that can be read"""
    found = complaints("sh", "-n", str(FOLDER / "bucket.sh"))
    for file in [*files, EXAMPLE]:
        found += unknown_settings(file)
    parts = {file.name: documents(file)[0] for file in files}
    volumes = {name for part in parts.values() for name in part.get("volumes", ())}
    networks = {name for part in parts.values() for name in part.get("networks", ())}
    for name, part in parts.items():
        found += [f"{name}: {trouble}" for trouble in _troubles(part, volumes, networks)]
    return found


def _troubles(part: Any, volumes: set[str], networks: set[str]) -> Iterator[str]:
    for image in every(part, "image"):
        if has_a_host(image):
            yield f"the image {image} names a host"
    for name, service in part["services"].items():
        # One without an image adds to what another file says.
        if name in SEALED and "image" in service and not _is_sealed(service):
            yield f"the service {name} is not sealed"
        for one in {mount.split(":")[0] for mount in service.get("volumes", ())}:
            if one[0] in "./" and not (FOLDER / one).exists():
                yield f"the service {name} mounts {one}, which does not exist"
            elif one[0] not in "./" and one not in volumes:
                yield f"the volume {one} is not declared"
        yield from (f"the network {one} is not declared" for one in service.get("networks", ()) if one not in networks)
        yield from _told(service.get("environment", {}))


def _is_sealed(service: Any) -> bool:
    return (
        service.get("read_only") is True
        and service.get("cap_drop") == ["ALL"]
        and service.get("user") == "10001:10001"
        and service.get("security_opt") == ["no-new-privileges:true"]
        and not {"privileged", "cap_add"} & service.keys()
    )


def _told(environment: dict[str, str]) -> Iterator[str]:
    """What a service is told: secrets are those of `.env`, and whoever listens in the network asks for one."""
    offered = {line.partition("=")[0] for line in EXAMPLE.read_text().splitlines() if "=" in line}
    for name, value in environment.items():
        yield from (f"{one} is not in {EXAMPLE.name}" for one in sorted({*_ASKED.findall(value)} - offered))
        address = _IN_ADDRESS.match(value)
        if address is None:
            if _SECRET.search(name) and "${" not in value:
                yield f"{name} is written down"
        elif address["secret"] is not None and not address["secret"].startswith("${"):
            yield f"the password in {name} is written down"
        elif address[1] in ("nats", "postgresql") and address["secret"] is None:
            yield f"{name} has no password"


CHECKS = (container_file, yaml_files, compose_schema, compose_rules)
