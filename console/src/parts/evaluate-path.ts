// The form of an evaluation with something filled in.

interface Subject {
  deployment: string;
  adapter?: string | undefined;
}

interface Asked {
  /** The number of the subject that the others are compared with. */
  baseline?: number;
  dataset?: string | undefined;
  datasetVersion?: number | undefined;
}

export function evaluatePath(subjects: readonly Subject[], { baseline, dataset, datasetVersion }: Asked = {}): string {
  const query = new URLSearchParams(
    subjects.map(({ deployment, adapter }) => [
      'subject',
      adapter === undefined ? deployment : `${deployment}:${adapter}`,
    ]),
  );
  for (const [name, value] of Object.entries({ baseline, dataset, datasetVersion }))
    if (value !== undefined) query.set(name, `${value}`);
  return `/model/evaluation/create?${query}`;
}
