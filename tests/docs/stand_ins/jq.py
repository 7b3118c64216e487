"""As much of jq as the pages use: `jq -r .one.two` and `.items[0].id`."""

import json
import re
import sys

options, (path,) = [word for word in sys.argv[1:] if word.startswith("-")], [w for w in sys.argv[1:] if w[0] != "-"]
assert set(options) <= {"-r"}, options
value = json.load(sys.stdin)
for name, place in re.findall(r"\.(\w+)|\[(\d+)\]", path):
    value = value[name] if name else value[int(place)]
sys.stdout.write((value if options and isinstance(value, str) else json.dumps(value)) + "\n")
