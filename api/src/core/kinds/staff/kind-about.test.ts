// A manifest as staff see it: whatever a tenant keeps secret in it is left out, wherever it stands.
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { yamlOf } from './kind-about.ts';

const SECRET = 'hunter2';

test('values of variables are left out, and so is what kubectl keeps of them', () => {
  const text = yamlOf({
    apiVersion: 'gantry.dev/v1alpha1',
    kind: 'GpuInstance',
    metadata: {
      name: 'dev',
      annotations: {
        'kubectl.kubernetes.io/last-applied-configuration': `{"env":"${SECRET}"}`,
        'gantry.dev/paused': 'true',
      },
      managedFields: [{ manager: SECRET }],
    },
    spec: {
      power: 'On',
      env: [{ name: 'PASSWORD', value: SECRET }, null, SECRET],
      command: ['serve', SECRET],
      template: { env: { TOKEN: SECRET }, list: [{ env: [{ name: 'A', value: SECRET }] }] },
    },
  } as unknown as KubeObject);
  expect(text).not.toContain(SECRET);
  expect(parse(text)).toMatchObject({
    metadata: { name: 'dev', annotations: { 'gantry.dev/paused': 'true' } },
    spec: { power: 'On', env: [{ name: 'PASSWORD' }, {}, {}], command: ['…', '…'], template: { env: ['TOKEN'] } },
  });
});
