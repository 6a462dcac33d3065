import type { KubeObject } from '@gantry/contract/define-kind.ts';
import type { Patch } from '@gantry/kube/resource.ts';
import { expect, test } from '@jest/globals';
import { SOUND_NAMESPACE } from '../../../../test/support/sound/parts.ts';
import { SOUND } from '../../../../test/support/sound-objects.ts';
import { InstanceKeys } from './instance-keys.ts';

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ3ZA+pg+cXZb3ElTe0owycI19d1t16gkBQKSjtM+bF9';
const instance = (name: string): KubeObject => ({
  ...SOUND.gpuInstance,
  metadata: { ...SOUND.gpuInstance.metadata, name },
});

test('an instance that refuses to give a key up keeps it on no other', async () => {
  const patched: string[] = [];
  const mergePatch = async (_: unknown, { name }: Patch) => {
    patched.push(name);
    if (name === 'bad') throw new Error('a rule refuses it');
    return instance(name);
  };
  const keys = new InstanceKeys({
    client: { as: () => ({ mergePatch }) } as never,
    cache: { list: () => ['a', 'bad', 'b'].map(instance), observe() {} } as never,
  });
  const removed = keys.remove({ namespace: SOUND_NAMESPACE, actor: 'ann', publicKey: KEY });
  await expect(removed).rejects.toThrow('a rule refuses it');
  expect(patched).toEqual(['a', 'bad', 'b']);
});
