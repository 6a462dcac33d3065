"""What a fine-tuning task would train on: rows as conversations, written by a chat template, as tokens."""
