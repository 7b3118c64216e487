"""`svc` that waits for seconds where production waits for minutes and days: for live sends that
were cut off.
"""

from datetime import timedelta

from cli.app import main
from core.messages.sending import hand_over_again, look_up
from core.sms import settle, write_down

write_down.LEASE = timedelta(seconds=1)  # type: ignore[attr-defined]
write_down.ASK_AFTER = timedelta(seconds=1)
settle.ASK_AGAIN = timedelta(seconds=0.5)
settle.KEEP_HOLD = timedelta(seconds=0.5)
look_up.LEASE = timedelta(seconds=2)  # type: ignore[attr-defined]
look_up.ASK_FOR = hand_over_again.ASK_FOR = timedelta(seconds=4)  # type: ignore[attr-defined]
hand_over_again.FIRST_AFTER = timedelta(seconds=1)

if __name__ == "__main__":
    main()
