"""The names of Amazon's two providers, as the interface spells them in `provider`."""

EUM = "cloud-eum"
SNS = "cloud-sns"
