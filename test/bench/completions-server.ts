// The gateway's /v1 in a process of its own, with one model and without a database: who asks, what that may use, the way to a worker
// and back, and every token counted. Arguments: the engine's port. Writes its own port.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '@gantry/kube/clock.ts';
import { Routes } from '../../api/src/areas/inference/aliases.ts';
import { Completions } from '../../api/src/areas/inference/completions.ts';
import { KeyLimits } from '../../api/src/areas/inference/key-limits.ts';
import { NOTHING_HELD } from '../../api/src/areas/inference/money.ts';
import { Models } from '../../api/src/areas/inference/serving.ts';
import type { Caller } from '../../api/src/platform/http/caller.ts';
import { tinyModel } from '../support/relay-parts.ts';
import { PIECES } from './stream-facts.ts';

const caller = {
  account: { id: 'acc-bench', name: 'bench', email: null, locale: 'en', platformRoles: [] },
  organization: { id: 'acme', role: 'member', namespace: 'org-acme' },
  session: { id: 'tok-bench', kind: 'apiToken', scopes: ['view', 'use'], expiresAt: 9e15 },
} as unknown as Caller;

const nothing = { tokens: 0, money: 0n } as never;
const models = new Models({ clock: systemClock, isAddress: () => true });
models.show(tinyModel({ port: Number(process.argv[2]) }));
const completions = new Completions({
  models,
  routes: new Routes(models),
  authenticate: async () => caller,
  attempts: { mayTry: async () => true, known: () => {}, inVain: async () => {} },
  addressOf: () => '127.0.0.1',
  limits: new KeyLimits({ readSpent: async () => ({ day: nothing, month: nothing }), currencyOf: () => 'USD' }),
  money: { priceOf: () => undefined, hold: async () => NOTHING_HELD },
  usage: {
    isFull: false,
    add({ completion, doubt }) {
      // A gateway that counts wrongly is not measured.
      if (completion !== PIECES || doubt !== null) throw new Error(`${completion} tokens, ${doubt}`);
    },
  },
  wake: async () => {},
  drain: async () => {},
  clock: systemClock,
  log: { warn: (facts, text) => console.error(text, facts) },
});
const server = createServer((req, res) => {
  if (!completions.answer(req, res)) res.writeHead(404).end();
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
