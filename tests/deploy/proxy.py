"""The real nginx with deploy/nginx.conf before daemons, on free ports, with a certificate made for it. No tests here."""

import http.client
import os
import pathlib
import re
import signal
import socket
import ssl
import subprocess
import tempfile
import time

NAME = "costs.example"
PATIENCE_S = 60

# What a distribution's nginx.conf has around conf.d, without its places.
AROUND = """daemon off; {user} pid {folder}/pid; error_log {folder}/error.log info; worker_processes 1;
events {{ worker_connections 512; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    {site}
}}
"""


def free_ports(count):
    """Ports that nobody has now."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def make_certificate(folder):
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                    "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}", "-keyout", f"{folder}/key.pem",
                    "-out", f"{folder}/certificate.pem"], check=True, capture_output=True, timeout=PATIENCE_S)


def editors_key(costcurve, database):
    """A new key: without one, nothing is written by the name of a proxy."""
    return subprocess.run([costcurve, "keys", "add", "proxy", "--role", "editor", "--database", database], check=True,
                          capture_output=True, text=True, timeout=PATIENCE_S).stdout.strip()


def site_of(configuration, folder, daemon_ports, plain_port, tls_port, rate, key):
    """deploy/nginx.conf with this machine's ports and files in the places of its own; each must be there to be replaced."""
    servers = " ".join(rf"server 127.0.0.1:{port}\1;" for port in daemon_ports)
    with_key = f"proxy_set_header Authorization 'Bearer {key}';" if key else ""
    for pattern, put in ((r"server 127\.0\.0\.1:8080([^;]*);", servers), (r"rate=100r/s", f"rate={rate}r/s"),
                         (r"(proxy_set_header Host [^;]*;)", rf"\1 {with_key}"),
                         (r"listen \[::\]:\d+[^;]*;", ""),
                         (r"listen 80;", f"listen 127.0.0.1:{plain_port};"),
                         (r"listen 443 ssl", f"listen 127.0.0.1:{tls_port} ssl"),
                         (r"ssl_certificate \S+;", f"ssl_certificate {folder}/certificate.pem;"),
                         (r"ssl_certificate_key \S+;", f"ssl_certificate_key {folder}/key.pem;")):
        configuration, count = re.subn(pattern, put, configuration)
        assert count > 0, f"deploy/nginx.conf has no {pattern}"
    return configuration


class Proxy:
    """nginx before the daemons of these ports; use with `with`. `rate`: requests/s that one client may send; `key`: the daemons get
    it with all of them."""

    def __init__(self, root, *daemon_ports, rate=100, key=""):
        self.place = tempfile.TemporaryDirectory()
        folder = pathlib.Path(self.place.name)
        make_certificate(folder)
        self.plain_port, self.port = free_ports(2)
        self.root, self.folder, self.rate, self.key = root, folder, rate, key
        self.write(daemon_ports)
        command = ["nginx", "-p", str(folder), "-e", f"{folder}/error.log", "-c", f"{folder}/nginx.conf"]
        checked = subprocess.run([*command, "-t"], capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        self.warnings = [line for line in checked.stderr.splitlines() if "[warn]" in line]
        if checked.returncode != 0:
            self.place.cleanup()
            raise AssertionError(checked.stderr)
        self.context = ssl.create_default_context(cafile=f"{folder}/certificate.pem")
        self.process = subprocess.Popen(command)
        self.log = folder / "error.log"
        self.wait()

    def write(self, daemon_ports):
        site = (self.root / "deploy/nginx.conf").read_text(encoding="utf-8")
        site = site_of(site, self.folder, daemon_ports, self.plain_port, self.port, self.rate, self.key)
        user = "user root;" if os.geteuid() == 0 else ""
        (self.folder / "nginx.conf").write_text(AROUND.format(user=user, folder=self.folder, site=site), encoding="utf-8")

    def workers(self):
        with open(f"/proc/{self.process.pid}/task/{self.process.pid}/children", encoding="ascii") as children:
            return set(children.read().split())

    def reload(self, *daemon_ports):
        """Before these daemons from now on: returns once no request is under way to one that is none of them."""
        before = self.workers()
        self.write(daemon_ports)
        self.process.send_signal(signal.SIGHUP)
        end = time.monotonic() + PATIENCE_S
        while before & self.workers():
            assert time.monotonic() < end, "nginx keeps workers of before"
            time.sleep(0.02)

    def wait(self):
        while self.process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE_S).close()
                return
            except ConnectionRefusedError:
                pass
        raise AssertionError("nginx ended: " + self.log.read_text(encoding="utf-8"))

    def connect(self):
        """A connection over TLS, its certificate verified for the name."""
        connection = http.client.HTTPSConnection(NAME, timeout=PATIENCE_S, context=self.context)
        plain = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE_S)
        connection.sock = self.context.wrap_socket(plain, server_hostname=NAME)
        return connection

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait(timeout=PATIENCE_S)
        self.place.cleanup()
