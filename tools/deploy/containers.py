"""The container file and the compose files."""

from __future__ import annotations

from tools.deploy.files import DEPLOY, complaints, documents, every, has_a_host, program, unknown_settings

COMPOSE = [DEPLOY / "compose" / "compose.yaml", *sorted((DEPLOY / "compose").glob("bus.yaml"))]
OURS = ("app", "migrate")


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


def compose_rules() -> list[str]:
    """the compose files: settings that exist, images without a host, ours sealed, scripts that can be read"""
    found = complaints("sh", "-n", str(DEPLOY / "compose" / "bucket.sh"))
    for file in [*COMPOSE, DEPLOY / "compose" / ".env.example"]:
        found += unknown_settings(file)
    (compose,) = documents(COMPOSE[0])
    found += [f"the image {image} names a host" for image in every(compose, "image") if has_a_host(image)]
    for name in OURS:
        service = compose["services"][name]
        if not (service["read_only"] and service["cap_drop"] == ["ALL"] and service["user"] == "10001:10001"):
            found.append(f"the service {name} is not sealed")
    volumes = {mount.split(":")[0] for mounts in every(compose["services"], "volumes") for mount in mounts}
    found += [
        f"the volume {one} is not declared" for one in volumes if one[0] not in "./" and one not in compose["volumes"]
    ]
    return found


CHECKS = (container_file, yaml_files, compose_schema, compose_rules)
