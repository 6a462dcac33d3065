// The check of an Image to crash in, on a real node: simulated ones pull nothing.
import { API_VERSION } from '@gantry/contract/define-kind.ts';
import type { Image } from '@gantry/contract/kinds/image.ts';
import type { Scenario } from '../crash-scenarios.ts';
import { normalState } from '../normal-state.ts';
import { waitUntil } from '../wait-until.ts';
import type { Arena } from './arena.ts';
import { SMALL } from './instance.ts';
import { noSecondCreate } from './invariants.ts';

const PATIENCE_MS = 90_000;

export function imageScenario(arena: () => Arena, namespace: () => string): Scenario {
  const images = () => `/apis/${API_VERSION}/namespaces/${namespace()}/images`;
  const jobs = () => `/apis/batch/v1/namespaces/${namespace()}/jobs`;
  const verified = new Map<string, unknown>();
  return {
    name: 'image',
    run: async (place) => {
      const path = `${images()}/${place}`;
      const body = { apiVersion: API_VERSION, kind: 'Image', metadata: { name: place }, spec: { source: SMALL.image } };
      await arena().call({ method: 'POST', path: images(), body });
      const ready = async () => {
        const image = await arena().get<Image>(path);
        return image?.status?.phase === 'ready' && !(await arena().get(`${jobs()}/${place}.verify`)) && image;
      };
      const image = await waitUntil(`${place} is verified and its Job gone`, ready, {
        limitMs: PATIENCE_MS,
        everyMs: 200,
      });
      verified.set(place, normalState(image, place, ['sizeBytes']));
      await arena().call({ method: 'DELETE', path });
    },
    isAbout: ({ name, namespace: where, resource }, place) =>
      where === namespace() && name.startsWith(place) && resource !== 'events',
    read: async (place) => ({ verified: verified.get(place), left: await arena().get(`${images()}/${place}`) }),
    invariants: {
      'nothing is made twice': ({ writes }) => noSecondCreate(writes),
    },
  };
}
