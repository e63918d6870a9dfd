"""A bot of Pazaak that learned by PPO."""
