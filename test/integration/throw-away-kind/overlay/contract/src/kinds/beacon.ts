// Facts of a kind that nobody needs: a Service that is maintained, and can be told to stay with its first client.
import * as z from 'zod';
import { cel, commonStatus, defineKind, type ObjectOf } from '../define-kind.ts';
import { changeBody, creationBody } from '../http/kind-bodies.ts';
import { type CommonView, commonView } from '../kind-api.ts';
import { RULE_WORDS } from '../rule-words.ts';
import * as en from '../words/en/beacon.ts';
import * as ja from '../words/ja/beacon.ts';
import { kindWords } from '../words/join.ts';
import * as zh from '../words/zh/beacon.ts';

const words = kindWords('Beacon', { en, zh, ja });

const spec = z
  .object({
    creator: z
      .string()
      .max(63)
      .optional()
      .meta({
        description: 'The name of the account that created the object. It cannot be changed.',
        ...cel(['self == oldSelf', RULE_WORDS.creatorFixed]),
      }),
    port: z
      .int()
      .min(1)
      .max(65535)
      .default(80)
      .describe('The port of its Service.')
      .meta(cel(['self != 22', words.rules.portTaken], ['self == oldSelf', words.rules.portFixed])),
    sticky: z.boolean().default(false).meta({ description: 'Whoever came once is led to the same place again.' }),
  })
  .describe('What the beacon is to do.');
const status = z.object({ ...commonStatus }).describe('What is known of the beacon.');

const view = commonView.extend({ status: z.string(), port: z.int(), sticky: z.boolean(), spec });
export type BeaconView = z.input<typeof view>;

export const beacon = defineKind({
  kind: 'Beacon',
  plural: 'beacons',
  shortNames: ['bcn'],
  scope: 'Namespaced',
  tenants: 'write',
  idPrefix: 'bcn',
  collection: 'develop/v1/beacon',
  menu: 'develop/beacon',
  staff: { resource: 'beacons', menu: 'computing' },
  words,
  spec,
  status,
  rules: [],
  columns: [{ name: 'Phase', jsonPath: '.status.phase' }],
  phases: { dark: { tone: 'progress' }, lit: { tone: 'good' } },
  actions: {
    hold: {
      from: ['lit'],
      does: () => ({ spec: { sticky: true } }),
      right: 'use',
      danger: 'none',
      spends: false,
    },
    edit: {
      from: ['dark', 'lit'],
      does: () => ({ spec: {} }),
      right: 'use',
      danger: 'none',
      spends: false,
    },
    release: {
      from: ['dark', 'lit'],
      does: 'delete',
      right: 'use',
      danger: 'destroys',
      spends: false,
    },
  },
  phaseInView: (object) => (object as Beacon).status?.phase ?? 'dark',
  api: {
    names: ['Beacon', 'Beacons'],
    view,
    show: ({ spec }: Beacon, common: CommonView) =>
      ({ ...common, status: common.phase, port: spec.port, sticky: spec.sticky, spec }) satisfies BeaconView,
    filters: { sticky: z.stringbool().optional() },
    writes: {
      create: creationBody(spec, 'port', 'sticky'),
      change: changeBody(spec, 'sticky'),
      problems: [],
    },
  },
});

export type Beacon = ObjectOf<{ spec: typeof spec; status: typeof status }>;
