"""Measures models on datasets: asks them through the agent, scores what they answer, and compares."""
