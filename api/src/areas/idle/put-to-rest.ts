// Puts an idle object to rest: an instance hibernates, a service that may have no replica sleeps, anything else stops. As its creator,
// if still a member, or as an owner: policies and rights are theirs.
import { type ContainerService, containerService } from '@gantry/contract/kinds/container-service.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { job } from '@gantry/contract/kinds/job.ts';
import { modelDeployment } from '@gantry/contract/kinds/model-deployment.ts';
import { organizationNamespace } from '@gantry/contract/names.ts';
import { rfc3339 } from '@gantry/contract/next-condition.ts';
import { resourceOf, targetOf } from '@gantry/kube/resource.ts';
import { actorOf } from '../../core/identity/organizations/actor-of.ts';
import type { Core } from '../../core/open.ts';
import type { Platform } from '../../platform/open.ts';
import { IDLE_KINDS } from './candidates-of.ts';
import type { Candidate } from './idle-watch.ts';

const RESTS: Readonly<Record<string, { action: string; what: 'hibernated' | 'stopped' }>> = {
  [gpuInstance.kind]: { action: 'hibernate', what: 'hibernated' },
  [job.kind]: { action: 'stop', what: 'stopped' },
  [containerService.kind]: { action: 'stop', what: 'stopped' },
  [modelDeployment.kind]: { action: 'stop', what: 'stopped' },
};

/** Idempotent. */
export async function putToRest(
  { db, audit, clock }: Pick<Platform, 'db' | 'audit' | 'clock'>,
  { cluster }: Pick<Core, 'cluster'>,
  one: Candidate,
): Promise<'hibernated' | 'asleep' | 'stopped'> {
  const facts = IDLE_KINDS.find(({ kind }) => kind === one.kind);
  const namespace = organizationNamespace(one.organizationId);
  const billed = cluster.billed.get({ kind: one.kind, namespace, name: one.name });
  const { action, what } = RESTS[one.kind] ?? {};
  if (!facts || !billed || billed.uid !== one.uid || !action || !what) throw new Error(`${one.kind} is not there`);
  const object = billed.object as unknown as ContainerService;
  const sleeps = [containerService.kind, modelDeployment.kind].includes(one.kind) && object.spec.autoscaling?.min === 0;
  if (sleeps)
    await cluster.client.mergePatch(
      resourceOf(facts),
      {
        ...targetOf(billed.object),
        body: { status: { scaling: { replicas: 0, because: 'Idle', at: rfc3339(clock.now()) } } },
      } as Parameters<typeof cluster.client.mergePatch>[1],
      'status',
    );
  else {
    const account = await actorOf(db.sql, one);
    const writer = { namespace, account, language: 'en', role: 'owner' } as Parameters<typeof cluster.kinds.act>[1];
    await cluster.kinds.act(facts, writer, one.name, { action }, { route: 'idle', key: undefined });
  }
  await audit({
    requestId: `idle/${one.uid}`,
    action: 'idlePolicy',
    decision: 'allowed',
    status: 200,
    caller: undefined,
    organizationId: one.organizationId,
    object: `${one.kind}/${one.name}`,
    reason: sleeps ? 'put to sleep because it was idle' : `${action} because it was idle`,
    ip: '',
    userAgent: undefined,
  });
  return sleeps ? 'asleep' : what;
}
