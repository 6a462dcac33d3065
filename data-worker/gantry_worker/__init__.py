"""The data server: it profiles, queries, searches and compares tables of one organisation, and knows nothing else."""
