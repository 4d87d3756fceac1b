"""What broke, and how often: shares of modes with intervals, and what others published about them."""
