import type { ImageStatus } from '@gantry/contract/kinds/image.ts';
import type { Snapshot } from '@gantry/contract/kinds/snapshot.ts';
import { FINALIZER } from '@gantry/contract/names.ts';
import { describe, expect, test } from '@jest/globals';
import { imageController } from './plan.ts';
import { at, context, DIGEST, imageFixture, nothing, settings } from './testing/fixtures.ts';

const GI = 2 ** 30;
const exported = { source: 'registry.gantry.internal/org-acme/mine:1', fromInstance: 'dev' };
const status: ImageStatus = { phase: 'processing', reason: 'Copying', exported: 'the root' };
const copy = {
  metadata: { name: 'torch-export' },
  spec: {},
  status: { phase: 'ready', totalBytes: 1.5 * GI, finishedAt: at(8) },
} as Snapshot;
const STORED = [{ seq: 1, subjectUID: 'uid-torch', from: at(8), uses: [{ resource: 'snapshot', quantity: 1.5 }] }];
const ready: ImageStatus = {
  ...status,
  phase: 'ready',
  reason: 'Verified',
  reasonArgs: { digest: DIGEST },
  digest: DIGEST,
  checked: exported.source,
  verifiedAt: at(9),
  savedBytes: 1.5 * GI,
  intervals: STORED,
};

describe('images saved from an instance', () => {
  test('costs from when it was copied', () => {
    const plan = imageController.plan(imageFixture({ spec: exported, status }), { ...nothing, copy }, context(10));
    expect(plan.status).toMatchObject({ savedBytes: 1.5 * GI, intervals: STORED });
  });
  test('goes on costing without its copy being seen', () => {
    const plan = imageController.plan(imageFixture({ spec: exported, status: ready }), nothing, context(100));
    expect(plan.status).toMatchObject({ intervals: STORED });
  });
  test('costs no more from its deletion on, which billing is told of before it goes', () => {
    const metadata = { deletionTimestamp: at(50), finalizers: [FINALIZER.billing] };
    const plan = imageController.plan(imageFixture({ spec: exported, status: ready, metadata }), nothing, context(60));
    expect(plan.status).toMatchObject({ phase: 'ready', intervals: [{ ...STORED[0], to: at(50) }] });
  });
  test('is deleted without a word where nobody waits for one', () => {
    const metadata = { deletionTimestamp: at(50) };
    expect(
      imageController.plan(imageFixture({ spec: exported, status: ready, metadata }), nothing, context(60)),
    ).toEqual({});
  });
});

test('an image that lies elsewhere costs nothing', () => {
  const plan = imageController.plan(imageFixture(), nothing, context(100));
  expect(plan.status).not.toHaveProperty('intervals');
});

describe('where credit is asked for', () => {
  const required = { settings: { ...settings, creditGate: 'required' as const } };
  const said = (is: 'True' | 'False', reason: string) => ({
    credit: { until: at(500) },
    conditions: [
      {
        type: 'CreditReserved',
        status: is,
        reason,
        message: 'needs 1.20 USD',
        observedGeneration: 1,
        lastTransitionTime: at(0),
      },
    ],
  });
  const reasonOf = (known: ImageStatus | undefined, spec: object = exported) =>
    imageController.plan(imageFixture({ spec, ...(known && { status: known }) }), nothing, context(1, required)).status
      ?.reason;

  test('nothing is asked of the instance before it is there', () => {
    expect(reasonOf(undefined)).toBe('WaitingForCredit');
    expect(reasonOf(said('False', 'OutOfCredit'))).toBe('OutOfCredit');
    expect(reasonOf(said('True', 'Reserved'))).toBe('InstanceNotFound');
  });
  test('an image of another registry does not wait for it', () => {
    expect(reasonOf(undefined, {})).toBe('Verifying');
  });
});
