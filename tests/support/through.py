"""A command as a shell starts it, but forked (see `forked.py`): `python -I -S through.py ADDRESS
WORD…`.
"""

import json
import os
import socket
import sys

if __name__ == "__main__":
    asked = {
        "words": sys.argv[2:],
        "script": None,
        "guard": None,
        "environment": dict(os.environ),
        "folder": os.getcwd(),  # noqa: PTH109 (pathlib takes as long to import as all the rest)
    }
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as forking:
        forking.connect(sys.argv[1])
        socket.send_fds(forking, [json.dumps(asked).encode()], [0, 1, 2])
        forking.recv(64)  # its id
        sys.exit(int(forking.recv(64)))
