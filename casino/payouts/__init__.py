"""What people do about payouts: set them right, resume them, inspect the dice that won them."""
