"""Files of messages over REST: streamed in, and streamed out."""
