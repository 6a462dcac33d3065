// A Pod of the platform that serves: since when it is ready, why it is not, and where it answers.
import type { Pod } from '@gantry/kube/core-objects.ts';

/** Undefined: it is not ready, or it is going. */
export function readySince(pod: Pod | undefined): string | undefined {
  const ready = pod?.status?.conditions?.find(({ type, status }) => type === 'Ready' && status === 'True');
  return ready && !pod?.metadata.deletionTimestamp ? ready.lastTransitionTime : undefined;
}

/** In the cluster's words. Undefined: it only takes time. */
export function whyNotReady(pod: Pod | undefined): string | undefined {
  const waiting = pod?.status?.containerStatuses?.[0]?.state?.waiting;
  const isPlain = waiting?.reason === 'ContainerCreating' || waiting?.reason === 'PodInitializing';
  const unplaced = pod?.status?.conditions?.find(({ type, status }) => type === 'PodScheduled' && status === 'False');
  return (isPlain ? undefined : (waiting?.message ?? waiting?.reason)) ?? unplaced?.message;
}

/** Undefined while it has no address. */
export function hostAndPort(pod: Pod | undefined, port: number): string | undefined {
  const ip = pod?.status?.podIP;
  return ip && `${ip.includes(':') ? `[${ip}]` : ip}:${port}`;
}
