"""wheel.py TREE ARCH SUMMARY OUT: a wheel with the static program of TREE as a script, and its other files as data.

The program needs nothing of the system, so the tags are those of the oldest systems that installers know."""
import base64
import hashlib
import os
import sys
import time
import zipfile

tree, arch, summary, out = sys.argv[1:]
version = os.environ["VERSION"]
machine = {"amd64": "x86_64", "arm64": "aarch64", "i386": "i686"}.get(arch, arch)
tag = f"py3-none-manylinux_2_17_{machine}.manylinux2014_{machine}.musllinux_1_1_{machine}"
name = f"lifecheck-{version}"
date = max(time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"]))[:6], (1980, 1, 1, 0, 0, 0))
records = []


def add(wheel, path, data, mode=0o644):
    info = zipfile.ZipInfo(path, date)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = (0o100000 | mode) << 16
    wheel.writestr(info, data)
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    records.append(f"{path},sha256={digest},{len(data)}")


target = os.path.join(out, f"{name}-{tag}.whl")
with zipfile.ZipFile(target + ".new", "w") as wheel:
    for folder, folders, files in os.walk(tree):
        folders.sort()
        for file in sorted(files):
            path = os.path.join(folder, file)
            inside = os.path.relpath(path, tree)
            with open(path, "rb") as stream:
                data = stream.read()
            if inside == "bin/lifecheck":
                add(wheel, f"{name}.data/scripts/lifecheck", data, 0o755)
            else:
                add(wheel, f"{name}.data/data/{inside}", data)
    tags = "".join(f"Tag: py3-none-{platform}\n" for platform in tag.split("-")[2].split("."))
    with open("README.md", encoding="utf-8") as stream:
        readme = stream.read()
    add(wheel, f"{name}.dist-info/METADATA",
        (f"Metadata-Version: 2.1\nName: lifecheck\nVersion: {version}\nSummary: {summary}\n"
         f"Description-Content-Type: text/markdown\n\n{readme}").encode())
    add(wheel, f"{name}.dist-info/WHEEL",
        f"Wheel-Version: 1.0\nGenerator: lifecheck\nRoot-Is-Purelib: false\n{tags}".encode())
    records.append(f"{name}.dist-info/RECORD,,")
    add(wheel, f"{name}.dist-info/RECORD", ("\n".join(records) + "\n").encode())
os.rename(target + ".new", target)
print(os.path.relpath(target))
