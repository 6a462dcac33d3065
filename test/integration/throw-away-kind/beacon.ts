// Facts of a kind that nobody needs: the first of the two files that a new kind is.
import { cel, commonStatus, defineKind, type ObjectOf } from '@gantry/contract/define-kind.ts';
import * as z from 'zod';

const spec = z
  .object({
    port: z
      .int()
      .min(1)
      .max(65535)
      .default(80)
      .describe('The port of its Service.')
      .meta(
        cel(
          [
            'self != 22',
            { en: 'port 22 is not for beacons', zh: 'port 22 不供信标使用', ja: 'port 22 はビーコンに使えません' },
          ],
          ['self == oldSelf', { en: 'port can not be changed', zh: 'port 不可更改', ja: 'port は変更できません' }],
        ),
      ),
    sticky: z.boolean().default(false).meta({ description: 'Whoever came once is led to the same place again.' }),
  })
  .describe('What the beacon is to do.');
const status = z.object({ ...commonStatus }).describe('What is known of the beacon.');

export const beacon = defineKind({
  kind: 'Beacon',
  plural: 'beacons',
  shortNames: ['bcn'],
  scope: 'Namespaced',
  tenants: 'write',
  idPrefix: 'bcn',
  collection: 'develop/v1/beacon',
  words: { en: 'Beacon', zh: '信标', ja: 'ビーコン' },
  spec,
  status,
  rules: [],
  columns: [{ name: 'Phase', jsonPath: '.status.phase' }],
  phases: {
    dark: { tone: 'progress', en: 'Dark', zh: '未亮', ja: '消灯' },
    lit: { tone: 'good', en: 'Lit', zh: '已亮', ja: '点灯' },
  },
  reasons: {
    Lighting: { en: 'It is being lit.', zh: '正在点亮。', ja: '点灯しています。' },
    Shining: { en: 'It shines, {affinity}.', zh: '正在发光，{affinity}。', ja: '点灯中です（{affinity}）。' },
  },
  actions: {},
  phaseInView: (object) => (object as Beacon).status?.phase ?? 'dark',
});

export type Beacon = ObjectOf<{ spec: typeof spec; status: typeof status }>;
