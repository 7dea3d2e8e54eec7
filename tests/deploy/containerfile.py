"""deploy/Containerfile as a list of its instructions, and its second stage carried out in a root by chroot. No tests here."""

import fnmatch
import json
import pathlib
import re
import shutil
import subprocess


def stages(text):
    """[(instruction, words)] of each stage, with continued lines joined and without comments."""
    lines = [line for line in text.splitlines() if not re.match(r"\s*#", line)]
    found = []
    for line in "\n".join(lines).replace("\\\n", " ").splitlines():
        if line.strip():
            name, _, words = line.strip().partition(" ")
            if name == "FROM":
                found.append([])
            if found:
                found[-1].append((name, re.sub(r"\s+", " ", words.strip())))
    return found


def settings(stage):
    """What a stage says of how the image runs, under the names that builders give it."""
    said = dict(stage)
    health = re.search(r"CMD (\[.*\])$", said["HEALTHCHECK"])
    return {"User": said["USER"], "WorkingDir": said["WORKDIR"], "Volumes": {said["VOLUME"]: {}}, "Env": said["ENV"].split(" "),
            "ExposedPorts": {f"{said['EXPOSE']}/tcp": {}}, "StopSignal": said["STOPSIGNAL"],
            "Entrypoint": json.loads(said["ENTRYPOINT"]), "Cmd": json.loads(said["CMD"]),
            "Healthcheck": {"Test": ["CMD", *json.loads(health[1])]}}


def carry_out(stage, root, stage_folders):
    """Carries out COPY and RUN of a stage in a root. `stage_folders`: where the folders of earlier stages are, by stage."""
    for name, words in stage:
        if name == "COPY":
            source, from_folder, to_folder = re.fullmatch(r"--from=(\S+) (\S+) (\S+)", words).groups()
            shutil.copytree(stage_folders[source] / from_folder.strip("/"), root / to_folder.strip("/"))
        elif name == "RUN":
            path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin"
            done = subprocess.run(["chroot", root, "/usr/bin/env", "-i", f"PATH={path}", "sh", "-c", words], capture_output=True,
                                  text=True, check=False)
            if done.returncode != 0:
                raise AssertionError(f"RUN {words}\nended with {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")


def copy_context(repository, folder):
    """What `COPY . .` takes of a repository: files that git knows, without those of .dockerignore."""
    ignored = [line for line in (repository / ".dockerignore").read_text(encoding="utf-8").splitlines()
               if line and not line.startswith("#")]
    files = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=repository, check=True,
                           capture_output=True, text=True).stdout
    for name in filter(None, files.split("\0")):
        parts = pathlib.PurePosixPath(name).parts
        prefixes = ["/".join(parts[:i + 1]) for i in range(len(parts))]
        patterns = [pattern.removeprefix("**/") for pattern in ignored]
        if any(fnmatch.fnmatch(each, pattern) for each in (*prefixes, parts[-1]) for pattern in patterns):
            continue
        if (repository / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(repository / name, folder / name)
