"""Fine-tunes a model on datasets, in a Pod that reaches nothing but its own agent."""
