"""A task that makes one dataset version of another. It runs in a Pod that reaches nothing but its own agent."""
