// The cluster's own objects as the API server sends them.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import type { V1Node, V1Pod } from '@kubernetes/client-node';

/** JSON as the wire has it: dates are strings, where the client's types say Date. */
export type Wire<T> = T extends Date ? string : T extends object ? { [K in keyof T]: Wire<T[K]> } : T;
export type Pod = KubeObject & Pick<Wire<V1Pod>, 'spec' | 'status'>;
export type Node = KubeObject & Pick<Wire<V1Node>, 'spec' | 'status'>;

/** Kubernetes' word for it: no container of the Pod runs again, though the kubelet may still have to say how one ended. */
export const isTerminal = ({ status }: Pod): boolean => status?.phase === 'Failed' || status?.phase === 'Succeeded';
