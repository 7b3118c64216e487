"""What every REST operation shares: reading requests, answering, problems, and the operation list
itself.
"""
