"""How the messages of journeys are sent: contents, people, caps, silence, and the channels that carry them."""
