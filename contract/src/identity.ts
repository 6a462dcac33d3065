// By what an object is known outside of Kubernetes: in the books, in its own status, on the nodes and Pods that it has. A restored
// object has a new uid, which nobody can choose, and still has what the old one had.
import type { KubeObject } from './define-kind.ts';
import { ANNOTATION } from './names.ts';

/** The uid that it had when it was first made. References between objects of the cluster and preconditions take the uid itself. */
export const identityOf = ({ metadata }: Pick<KubeObject, 'metadata'>): string =>
  metadata.annotations?.[ANNOTATION.identity] ?? metadata.uid ?? '';
