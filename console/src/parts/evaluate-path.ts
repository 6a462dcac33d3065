// The form of an evaluation with something filled in.

type Subject = { deployment: string; adapter?: string | undefined } | { model: string; version: string };

interface Asked {
  /** The number of the subject that the others are compared with. */
  baseline?: number;
  dataset?: string | undefined;
  datasetVersion?: number | undefined;
}

function textOf(subject: Subject): string {
  if ('model' in subject) return `${subject.model}@${subject.version}`;
  const { deployment, adapter } = subject;
  return adapter === undefined ? deployment : `${deployment}:${adapter}`;
}

export function evaluatePath(subjects: readonly Subject[], { baseline, dataset, datasetVersion }: Asked = {}): string {
  const query = new URLSearchParams(subjects.map((subject) => ['subject', textOf(subject)]));
  for (const [name, value] of Object.entries({ baseline, dataset, datasetVersion }))
    if (value !== undefined) query.set(name, `${value}`);
  return `/model/evaluation/create?${query}`;
}
