// Replicas rather start on other nodes than those on which a GPU has failed; there only where nothing else has room.
import type { Facts } from './facts.ts';
import type { PodTemplate } from './served.ts';

/** The weight of one term: the most that Kubernetes accepts. */
const WEIGHT = 100;

/** Nodes of its replicas with a fatal error of a GPU that holds now; none for what uses no GPU. */
export const faultyNodes = ({ owner, seen }: Pick<Facts, 'owner' | 'seen'>): readonly string[] =>
  owner.spec.gpu
    ? Object.entries(seen.nodes)
        .filter(([, { faults = [] }]) => faults.length > 0)
        .map(([name]) => name)
        .sort()
    : [];

/** Twice, so that it is more than one node's having the files of a model. A field selector names a node for sure, and takes one name. */
const termsOf = (nodes: readonly string[]) => {
  const matchFields = nodes.map((node) => ({ key: 'metadata.name', operator: 'NotIn', values: [node] }));
  const term = { weight: WEIGHT, preference: { matchFields } };
  return [term, term];
};

const preferredIn = (template: PodTemplate | undefined) =>
  template?.spec?.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];

export function awayFrom(template: PodTemplate, nodes: readonly string[]): PodTemplate {
  const { spec } = template;
  if (nodes.length === 0 || !spec) return template;
  const preferred = [...preferredIn(template), ...termsOf(nodes)];
  const { affinity } = spec;
  const nodeAffinity = { ...affinity?.nodeAffinity, preferredDuringSchedulingIgnoredDuringExecution: preferred };
  return { ...template, spec: { ...spec, affinity: { ...affinity, nodeAffinity } } };
}

export const isAwayFrom = (template: PodTemplate | undefined, nodes: readonly string[]): boolean => {
  const avoided = preferredIn(template).flatMap(({ preference }) =>
    (preference.matchFields ?? []).flatMap(({ operator, values = [] }) => (operator === 'NotIn' ? values : [])),
  );
  return nodes.every((node) => avoided.includes(node));
};
