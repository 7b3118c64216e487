"""The providers behind the channels, and the contracts between both."""
