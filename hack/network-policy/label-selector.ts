// Kubernetes label selectors. An empty one matches everything.
import type { V1LabelSelector } from '@kubernetes/client-node';

type Labels = Readonly<Record<string, string>>;

const OPERATORS: Readonly<Record<string, (value: string | undefined, values: readonly string[]) => boolean>> = {
  In: (value, values) => value !== undefined && values.includes(value),
  NotIn: (value, values) => value === undefined || !values.includes(value),
  Exists: (value) => value !== undefined,
  DoesNotExist: (value) => value === undefined,
};

export function matches({ matchLabels = {}, matchExpressions = [] }: V1LabelSelector, labels: Labels = {}): boolean {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => OPERATORS[operator]?.(labels[key], values) ?? false)
  );
}
