// Fault 10: impossible or forbidden specs. Admission refuses what it can know; the rest gets a sentence, and runs once it is
// corrected, from either side.
import { expect, test } from '@jest/globals';
import { ALONE, setArena } from './arena.ts';
import { endsWell } from './end-of-life.ts';
import { SMALL } from './instance.ts';

const arena = setArena(ALONE);

const IMPOSSIBLE: Readonly<Record<string, { readonly spec: object; readonly message: RegExp }>> = {
  'more cards than any node has': {
    spec: { gpu: { ...SMALL.gpu, count: 16 } },
    message: /16 × NVIDIA-H100-80GB-HBM3.* 8/,
  },
  'a model that no node has': { spec: { gpu: { model: 'Imaginary-9000', count: 1 } }, message: /Imaginary-9000/ },
  'more memory than any node has': { spec: { memoryGi: 8000 }, message: /8000 GiB/ },
};

test.each(Object.entries(IMPOSSIBLE))('%s: said in words, then put right, it runs', async (_, { spec, message }) => {
  const instance = arena().instance('wishful');
  await instance.create(spec);
  await instance.becomes('told why', ({ status }) => message.test(status?.message ?? ''));
  await instance.wish({ gpu: SMALL.gpu, memoryGi: SMALL.memoryGi });
  await instance.reaches('running');
  await endsWell(instance, arena());
});

const FORBIDDEN: Readonly<Record<string, { readonly spec: object; readonly message: RegExp }>> = {
  'a million cards': { spec: { gpu: { ...SMALL.gpu, count: 1_000_000 } }, message: /spec\.gpu\.count/ },
  'a path of the host': { spec: { hostPath: '/' }, message: /unknown field.*spec\.hostPath/ },
  'a privileged container': {
    spec: { securityContext: { privileged: true } },
    message: /unknown field.*securityContext/,
  },
  "another tenant's image": {
    spec: { image: 'registry.gantry.internal/org-other/x:1' },
    message: /spec\.image: from registry/,
  },
};

test('a forbidden field is refused by name; put right, the instance runs', async () => {
  const instance = arena().instance('bold');
  for (const { spec, message } of Object.values(FORBIDDEN)) {
    await expect(instance.create(spec)).rejects.toThrow(message);
  }
  await instance.create();
  await instance.reaches('running');
  await endsWell(instance, arena());
});

test('an instance refused for its quota runs once the quota is raised, without another change', async () => {
  const name = arena().freshName('thrifty');
  const path = `/apis/gantry.dev/v1alpha1/organizations/${name}`;
  const namespace = await arena().organization(name, {
    quota: { gpus: 0, cores: 10, memoryGi: 10, storageGi: 10, instances: 10 },
  });
  const instance = arena().instanceNamed('dev', namespace);
  await instance.create();
  expect((await instance.reaches('createFailed')).status?.reason).toBe('QuotaExceeded');
  await arena().patch(path, { spec: { quota: { gpus: 1 } } });
  await instance.reaches('running');
  await endsWell(instance, arena());
  await arena().removeOrganization(name);
});
