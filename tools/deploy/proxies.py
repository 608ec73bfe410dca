"""The samples for nginx and Caddy: read by each, and started in front of a server of ours."""

from __future__ import annotations

import http.client
import os
import re
import socket
import ssl
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from tests.databases import Files
from tests.ports import free_port
from tests.product import Product, running_product, wait_until
from tools.deploy.files import DEPLOY, complaints, program

CADDY = DEPLOY / "caddy" / "Caddyfile"
NGINX = DEPLOY / "nginx" / "tablegram.conf"
NAME = "gateway.example.com"
# A stream begins with a line at once, and says the next by itself after 15 seconds: what comes later was held back.
SOON_S = 10.0


def caddy_file() -> list[str]:
    """the Caddyfile, by caddy validate"""
    return complaints(program("caddy"), "validate", "--adapter", "caddyfile", "--config", str(CADDY))


def nginx_file() -> list[str]:
    """the nginx sample, by nginx -t"""
    with tempfile.TemporaryDirectory(prefix="tablegram-nginx-") as name:
        conf = laid_out(Path(name), free_port(), free_port(), free_port())
        return complaints(program("nginx"), "-t", "-q", "-p", name, "-c", str(conf))


def laid_out(folder: Path, upstream: int, plain: int, secure: int) -> Path:
    """The sample with other ports, a certificate of its own, and what a machine's nginx.conf has around it."""
    certificate, key = folder / "fullchain.pem", folder / "privkey.pem"
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", f"/CN={NAME}"]
    subprocess.run(
        [*made, "-keyout", str(key), "-out", str(certificate), "-addext", f"subjectAltName=DNS:{NAME}"],
        check=True,
        capture_output=True,
    )
    text = NGINX.read_text(encoding="utf-8").replace("127.0.0.1:8000", f"127.0.0.1:{upstream}")
    text = text.replace("/etc/ssl/tablegram/", f"{folder}/")
    text = re.sub(r"listen 80;", f"listen 127.0.0.1:{plain};", text)
    text = re.sub(r"listen 443 ", f"listen 127.0.0.1:{secure} ", text)
    text = re.sub(r" *listen \[::\].*\n", "", text)
    (folder / "tablegram.conf").write_text(text, encoding="utf-8")
    temporary = "\n".join(
        f"  {kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    conf = folder / "nginx.conf"
    conf.write_text(
        f"daemon off;\npid {folder}/pid;\nerror_log stderr;\nevents {{}}\n"
        f"http {{\n  access_log off;\n{temporary}\n  include {folder}/tablegram.conf;\n}}\n",
        encoding="utf-8",
    )
    return conf


@contextmanager
def started(command: list[str], environment: dict[str, str], log: Path) -> Iterator[None]:
    with log.open("wb") as said:
        process = subprocess.Popen(command, env=environment, stdout=said, stderr=said)
    try:
        yield
    except BaseException:
        print(log.read_text(errors="replace"))
        raise
    finally:
        process.terminate()
        process.wait(30)


def at_work() -> list[str]:
    """nginx and Caddy with these files in front of a server: TLS, who calls, figures hidden, streams at once"""
    databases = Files()
    try:
        trusted = {"TABLEGRAM_TRUSTED_PROXIES": "127.0.0.1/32"}
        with running_product(databases.migrated(), settings=trusted) as product:
            return [*behind_nginx(product), *behind_caddy(product)]
    finally:
        databases.close()


def behind_nginx(product: Product) -> list[str]:
    with tempfile.TemporaryDirectory(prefix="tablegram-nginx-") as name:
        folder, secure = Path(name), free_port()
        # Workers of a nginx that root has started are somebody else.
        folder.chmod(0o755)
        conf = laid_out(folder, int(product.url.rpartition(":")[2]), free_port(), secure)
        trusting = ssl.create_default_context(cafile=str(folder / "fullchain.pem"))
        command = [program("nginx"), "-p", name, "-c", str(conf)]
        with started(command, dict(os.environ), folder / "said.log"):
            return tried("nginx", product, secure, trusting)


def behind_caddy(product: Product) -> list[str]:
    with tempfile.TemporaryDirectory(prefix="tablegram-caddy-") as name:
        folder, secure = Path(name), free_port()
        # As it stands, but for the ports and a certificate of its own.
        around = f"{{\n\tadmin off\n\tauto_https disable_redirects\n\thttps_port {secure}\n\tskip_install_trust\n\tlocal_certs\n\tgrace_period 2s\n}}\n"
        (folder / "Caddyfile").write_text(around + CADDY.read_text(encoding="utf-8"), encoding="utf-8")
        told = {"XDG_DATA_HOME": name, "XDG_CONFIG_HOME": name, "PUBLIC_NAME": NAME}
        told["UPSTREAM"] = product.url.removeprefix("http://")
        command = [program("caddy"), "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]
        with started(command, {**os.environ, **told}, folder / "said.log"):
            root = folder / "caddy" / "pki" / "authorities" / "local" / "root.crt"
            wait_until(root.exists, "Caddy's own authority")
            return tried("caddy", product, secure, ssl.create_default_context(cafile=str(root)))


def tried(proxy: str, product: Product, port: int, trusting: ssl.SSLContext) -> list[str]:
    """Through the proxy by its name: what everybody may see, what nobody may, and a stream that comes piece by piece."""

    def status(path: str) -> int:
        with closing(ByName(port, trusting)) as connection:
            connection.request("GET", path)
            return connection.getresponse().status

    def ready() -> bool:
        try:
            return status("/readyz") == 200
        except OSError:
            return False

    wait_until(ready, f"{proxy} to answer by TLS")
    found = []
    if status("/metrics") != 404:
        found.append(f"{proxy} shows the figures to everybody")
    with closing(ByName(port, trusting)) as connection:
        connection.request("GET", "/api/v1/events/stream", headers=product.headers())
        try:
            begins = connection.getresponse().readline()
            assert begins, "the stream has ended"
        except TimeoutError:
            found.append(f"{proxy} holds a stream back")
    return found


class ByName(http.client.HTTPSConnection):
    """Asks this machine, at a port, for a name that leads elsewhere."""

    def __init__(self, port: int, trusting: ssl.SSLContext) -> None:
        super().__init__(NAME, timeout=SOON_S, context=trusting)
        self._here, self._trusting = ("127.0.0.1", port), trusting

    def connect(self) -> None:
        plain = socket.create_connection(self._here, self.timeout)
        self.sock = self._trusting.wrap_socket(plain, server_hostname=NAME)


CHECKS = (caddy_file, nginx_file, at_work)
