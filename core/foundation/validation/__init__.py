"""What callers send: input models, the errors of their fields, and the types of phones, names and
times.
"""
