// What a visit of tenants' web content leads to: an instance that runs, or a job's worker, and the ports that it serves.
import { canDo } from '@gantry/contract/define-kind.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { type GpuInstance, gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { type Job, job } from '@gantry/contract/kinds/job.ts';
import { type FindObject, placeOf } from '../terminals/place.ts';

/** Something of a tenant's that runs and serves. */
export interface Content {
  uid: string;
  at: { namespace: string; pod: string };
  ports: readonly number[];
  notebookPort?: number;
}

/** `name` is an instance's, or `<job>.<rank>` for a worker. Throws not_found, container_not_running. */
export const contentOf = (find: FindObject, namespace: string, name: string): Content =>
  name.includes('.') ? contentOfWorker(find, namespace, name) : contentOfInstance(find, namespace, name);

function contentOfInstance(find: FindObject, namespace: string, name: string): Content {
  const { object, at } = placeOf(find, gpuInstance, namespace, name);
  const { metadata, spec } = object as GpuInstance;
  return {
    ...{ uid: metadata.uid ?? '', at },
    ports: (spec.ports ?? []).map(({ port }) => port),
    ...(spec.notebookPort !== undefined && { notebookPort: spec.notebookPort }),
  };
}

function contentOfWorker(find: FindObject, namespace: string, name: string): Content {
  const [id = '', rank] = name.split('.');
  const found = find(job, namespace, id)?.object as Job | undefined;
  if (!found) throw problem('not_found', { what: id });
  const worker = found.status?.workers?.find(({ index }) => `${index}` === rank);
  if (!canDo(job, 'login', found) || worker?.phase !== 'running' || worker.pod === undefined) {
    throw problem('container_not_running');
  }
  const ports = (found.spec.ports ?? []).map(({ port }) => port);
  return { uid: found.metadata.uid ?? '', at: { namespace, pod: worker.pod }, ports };
}
