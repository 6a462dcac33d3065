// What people call a task. The API says the id of a dataset that no run has read yet.

/** Its own name, or that of its dataset. */
export const nameOfTask = (
  { name, dataset }: { name: string; dataset: string },
  nameOfDataset: (id: string) => string,
): string => (name === dataset ? nameOfDataset(dataset) : name);
