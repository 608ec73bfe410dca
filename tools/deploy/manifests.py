"""The Kubernetes manifests, put together as kustomize does as far as they use it, and read by the schemas of a cluster."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import kubernetes_validate

from tools.deploy.files import DEPLOY, SETTINGS, documents, every, has_a_host, unknown_settings

EXAMPLE = DEPLOY / "kubernetes" / "example"
# What our kustomizations use of it. Another word has to be understood here first.
KNOWN = {
    "apiVersion",
    "kind",
    "namespace",
    "resources",
    "labels",
    "images",
    "configMapGenerator",
    "secretGenerator",
}
# The oldest cluster that is still kept up, and the newest one that the schemas know.
CLUSTERS = ("1.31", kubernetes_validate.latest_version())


def gathered(folder: Path) -> tuple[list[Any], list[str]]:
    """Every resource of a kustomization and of those it builds on, and what is wrong with their files."""
    (told,) = documents(folder / "kustomization.yaml")
    found = [f"{folder.name}/kustomization.yaml: {key} is unknown here" for key in told.keys() - KNOWN]
    resources: list[Any] = []
    for name in told["resources"]:
        place = folder / name
        if place.is_dir():
            below, troubles = gathered(place)
            resources += below
            found += troubles
        elif place.is_file():
            resources += documents(place)
        else:
            found.append(f"{folder.name}/{name} does not exist")
    for kind, generator in (("ConfigMap", "configMapGenerator"), ("Secret", "secretGenerator")):
        for one in told.get(generator, ()):
            data = dict(line.split("=", 1) for line in [*one.get("literals", ()), *_lines(folder, one.get("envs", ()))])
            found += [f"{kind} {one['name']}: {name} is no setting" for name in data.keys() - SETTINGS]
            field = "data" if kind == "ConfigMap" else "stringData"
            resources.append({"apiVersion": "v1", "kind": kind, "metadata": {"name": one["name"]}, field: data})
    return resources, found


def _lines(folder: Path, names: Any) -> list[str]:
    # The real one holds secrets and is not kept; the example beside it says what stands in it.
    return [line for name in names for line in (folder / f"{name}.example").read_text().splitlines() if "=" in line]


def schemas() -> list[str]:
    """the Kubernetes manifests, by the schemas of clusters"""
    resources, found = gathered(EXAMPLE)
    for version in CLUSTERS:
        for one in resources:
            try:
                kubernetes_validate.validate(one, version, strict=True)
            except kubernetes_validate.ValidationError as error:
                found.append(f"{version}, {one['kind']} {one['metadata']['name']}: {error.message}")
    return found


def rules() -> list[str]:
    """the Kubernetes manifests: names that lead somewhere, pods that are sealed, images without a host"""
    resources, found = gathered(EXAMPLE)
    named = {(one["kind"], one["metadata"]["name"]) for one in resources}
    for kind, key in (("ConfigMap", "configMapRef"), ("Secret", "secretRef")):
        found += [
            f"{kind} {ref['name']} does not exist" for ref in every(resources, key) if (kind, ref["name"]) not in named
        ]
    for ref in every(resources, "persistentVolumeClaim"):
        if ("PersistentVolumeClaim", ref["claimName"]) not in named:
            found.append(f"the claim {ref['claimName']} does not exist")
    found += [f"the image {image} names a host" for image in every(resources, "image") if has_a_host(image)]
    pods = [one for one in every(resources, "template") if "spec" in one]
    for pod in pods:
        spec = pod["spec"]
        if not spec["securityContext"]["runAsNonRoot"] or spec["automountServiceAccountToken"]:
            found.append("a pod may be root, or is handed a token")
        for container in [*spec.get("initContainers", ()), *spec["containers"]]:
            found += _container(container, {volume["name"] for volume in spec["volumes"]})
    labels = [pod["metadata"]["labels"] for pod in pods]
    for kind in ("Service", "PodDisruptionBudget", "NetworkPolicy", "Deployment"):
        for one in (one for one in resources if one["kind"] == kind):
            selector = one["spec"].get("selector") or one["spec"]["podSelector"]
            wanted = selector.get("matchLabels", selector)
            if not any(wanted.items() <= label.items() for label in labels):
                found.append(f"{kind} {one['metadata']['name']} finds no pod")
    for file in sorted((DEPLOY / "kubernetes").rglob("*.yaml")):
        found += unknown_settings(file)
    return found


def _container(container: Any, volumes: set[str]) -> list[str]:
    name, sealed = container["name"], container["securityContext"]
    found = [
        f"{name} mounts {one['name']}, which is no volume"
        for one in container["volumeMounts"]
        if one["name"] not in volumes
    ]
    if (
        sealed["allowPrivilegeEscalation"]
        or not sealed["readOnlyRootFilesystem"]
        or sealed["capabilities"] != {"drop": ["ALL"]}
    ):
        found.append(f"{name} is not sealed")
    if "memory" not in container["resources"]["limits"]:
        found.append(f"{name} may take all memory")
    return found


CHECKS = (schemas, rules)
