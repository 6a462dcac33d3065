// The pages of models and datasets.

export const modelPath = (id: string): string => `/model/space/${encodeURIComponent(id)}`;

/** A dataset's page; with a version, what that one contains. */
export const datasetPath = (id: string, version: number | null): string =>
  `/data/space/${encodeURIComponent(id)}${version === null ? '' : `/files?${new URLSearchParams({ version: `${version}` })}`}`;
