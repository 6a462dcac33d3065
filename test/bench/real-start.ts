// Row B1: from the POST of an instance to its container running, beside the same Pod and claim without an operator. A real
// container on the cluster's real node; A B B A, so that any drift affects both alike.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { targetOf } from '@gantry/kube/resource.ts';
import { CLAIM } from '../../operator/src/resources.ts';
import { eventually } from '../support/eventually.ts';
import { bare, type Model, modelOf } from './bare-pod.ts';
import { type Company, emptied, withCompany } from './company.ts';
import type { Pair } from './measure.ts';
import { type Stage, sized } from './stage.ts';

const PAIRS = sized(10);
const MINUTE = 60_000;
const SPEC = {
  image: 'registry.gantry.internal/official/busybox:1.36',
  cores: 0.1,
  memoryGi: 0.0625,
  homeDisk: { sizeGi: 1 },
};

export async function realStart(stage: Stage): Promise<readonly Pair[]> {
  return withCompany(stage, { name: 'real', instances: 10, nodes: 0 }, async (company) => {
    const model = await aRunningOne(company);
    const pairs: Pair[] = [];
    for (let pair = 0; pair < PAIRS; pair++) {
      const ours = () => instanceMs(company, `ours-${pair}`);
      const peer = () => bareMs(company, model, `peer-${pair}`);
      if (pair % 2 === 0) pairs.push({ ours: await ours(), peer: await peer() });
      else {
        const peerMs = await peer();
        pairs.push({ ours: await ours(), peer: peerMs });
      }
    }
    return pairs;
  });
}

/** The operator's children of an instance, to create again without it. Also makes the node fetch the images. */
async function aRunningOne({ fleet, namespace, pods }: Company): Promise<Model> {
  await fleet.createOne('model', SPEC);
  await fleet.reached('running', 1, 2 * MINUTE);
  const model = await modelOf({ fleet, namespace, pods }, 'model');
  await emptied(fleet);
  return model;
}

async function instanceMs({ fleet }: Company, name: string): Promise<number> {
  const began = performance.now();
  await fleet.createOne(name, SPEC);
  await fleet.reached('running', 1, 2 * MINUTE);
  const ms = performance.now() - began;
  await emptied(fleet);
  return ms;
}

async function bareMs({ fleet, namespace, pods }: Company, model: Model, name: string): Promise<number> {
  const { promise: running, resolve } = Promise.withResolvers<void>();
  fleet.onChange(pods, ({ after }) => {
    if (after?.metadata.name === name && isReady(after)) resolve();
  });
  const claim = bare(model.claim, name);
  const pod = bare(model.pod, name);
  const began = performance.now();
  const [madeClaim, madePod] = await Promise.all([fleet.client.create(CLAIM, claim), fleet.client.create(pods, pod)]);
  await running;
  const ms = performance.now() - began;
  await fleet.client.delete(pods, { ...targetOf(madePod), gracePeriodSeconds: 1 });
  await fleet.client.delete(CLAIM, targetOf(madeClaim));
  await eventually(`${name} is gone`, () =>
    fleet.client.get(CLAIM, namespace, name).then(
      () => false,
      () => true,
    ),
  );
  return ms;
}

const isReady = (pod: KubeObject): boolean =>
  (pod as Pod).status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
