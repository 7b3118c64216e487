"""Who comes into journeys, and when: by segment, list, event or by hand; and who leaves them early."""
