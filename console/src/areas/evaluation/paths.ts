export const LIST = '/model/evaluation';
export const COMPARISON = '/model/comparison';

/** The page of one evaluation. */
export const pathOf = ({ id }: { id: string }): string => `${LIST}/${id}`;

/** Several evaluations side by side. */
export const comparisonPath = (ids: readonly string[]): string =>
  ids.length === 0 ? COMPARISON : `${COMPARISON}?${new URLSearchParams({ ids: ids.join(',') })}`;

export const deploymentPath = (id: string): string => `/model/deployment/${encodeURIComponent(id)}`;
