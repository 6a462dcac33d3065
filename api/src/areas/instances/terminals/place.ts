// The place in which a terminal opens: the run of an instance, a worker of a job, a replica of a service. Tickets and books name it by one
// key.
import { canDo, type KindFacts, type KubeObject } from '@gantry/contract/define-kind.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { type ContainerService, containerService } from '@gantry/contract/kinds/container-service.ts';
import { type GpuInstance, gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { type Job, job } from '@gantry/contract/kinds/job.ts';
import { instancePodName, organizationNamespace } from '@gantry/contract/names.ts';
import type { PodName, SocketSource } from '../../../platform/pods/pod-socket.ts';

/** Which of several. Absent: the first that runs. */
export interface Part {
  worker?: number | undefined;
  pod?: string | undefined;
}

export interface Place {
  key: string;
  object: KubeObject;
  at: PodName;
  /** The API server of the cluster that has it, as a user sees it. */
  as: (user: string) => SocketSource;
  /** Only instances have the agent in them, which keeps sessions. */
  hasAgent: boolean;
}

export type FindObject = (facts: KindFacts, namespace: string, id: string) => Pick<Place, 'object' | 'as'> | undefined;

interface Kind {
  facts: KindFacts;
  /** Undefined: it does not run. Throws not_found for one that is none of its own. */
  podOf(object: KubeObject, part: Part): string | undefined;
}

const KINDS: readonly Kind[] = [
  {
    facts: gpuInstance,
    podOf: (object) => instancePodName(object.metadata.name, (object as GpuInstance).status?.run?.seq ?? 1),
  },
  {
    facts: job,
    podOf(object, { worker, pod }) {
      const { status } = object as Job;
      const own = (status?.workers ?? []).filter((one) => worker === undefined || one.index === worker);
      if (worker !== undefined && own.length === 0) throw problem('not_found', { what: `${worker}` });
      return own.find((one) => one.phase === 'running' && (pod === undefined || one.pod === pod))?.pod;
    },
  },
  {
    facts: containerService,
    podOf(object, { pod }) {
      const { status } = object as ContainerService;
      const own = (status?.pods ?? []).filter(({ name }) => pod === undefined || name === pod);
      if (pod !== undefined && own.length === 0) throw problem('not_found', { what: pod });
      const runs = own.filter(({ phase }) => phase === 'ready' || phase === 'starting' || phase === 'failing');
      return (runs.find(({ phase }) => phase === 'ready') ?? runs[0])?.name;
    },
  },
];

/** Throws not_found, container_not_running. */
export function placeOf(find: FindObject, facts: KindFacts, namespace: string, id: string, part: Part = {}): Place {
  const found = find(facts, namespace, id);
  if (!found) throw problem('not_found', { what: id });
  const { object, as } = found;
  const pod = canDo(facts, 'login', object) ? kindOf(facts.kind).podOf(object, part) : undefined;
  if (pod === undefined) throw problem('container_not_running');
  const hasAgent = facts.kind === gpuInstance.kind;
  return { key: hasAgent ? id : `${facts.kind}/${id}/${pod}`, object, at: { namespace, pod }, as, hasAgent };
}

/** The place that a key names, if the same still runs there. */
export function placeAt(find: FindObject, namespace: string, key: string, uid: string): Place | undefined {
  const { kind, id, pod } = parsed(key);
  try {
    const place = placeOf(find, kindOf(kind).facts, namespace, id, { pod });
    return place.object.metadata.uid === uid ? place : undefined;
  } catch {
    return undefined;
  }
}

/** As the audit log names it. */
export function auditedAs(key: string, organization: string): string {
  const { kind, id, pod } = parsed(key);
  return [kind, organizationNamespace(organization), id, ...(pod === undefined ? [] : [pod])].join('/');
}

/** An instance's key is its id: names have no slash. */
function parsed(key: string): { kind: string; id: string; pod?: string | undefined } {
  const [kind = '', id, pod] = key.split('/');
  return id === undefined ? { kind: gpuInstance.kind, id: key } : { kind, id, pod };
}

function kindOf(kind: string): Kind {
  const found = KINDS.find(({ facts }) => facts.kind === kind);
  if (!found) throw problem('container_not_running');
  return found;
}
