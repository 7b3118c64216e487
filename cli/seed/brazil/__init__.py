"""Made-up Brazilians: names, places, phones and what shops write to them. No name or number is
taken from anybody.
"""
