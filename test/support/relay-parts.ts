// The parts that relays of the gateway need, for tests and benches that stand one alone before a program of their own: a member whom all
// let in, the notebook of an instance, and a model with a worker.
import type { Clock } from '@gantry/kube/clock.ts';
import type { ModelFacts } from '../../api/src/areas/inference/serving.ts';
import { TenantWeb } from '../../api/src/areas/instances/web/tenant-web.ts';
import type { Caller } from '../../api/src/platform/http/caller.ts';
import type { PodApiServer } from './pod-api-server.ts';

/** A member of the organization acme. */
export const ANN: Caller = {
  account: { id: 'acc-ann', name: 'ann', email: null, locale: 'en', platformRoles: [] },
  organization: { id: 'acme', role: 'member', namespace: 'org-acme' },
  session: { id: 'ses-ann', kind: 'session', scopes: ['view', 'use'], expiresAt: Number.MAX_SAFE_INTEGER },
};

export const loginsThatLast = { holds: async () => true, follow: () => () => {} };
export const attemptsWithoutLimit = { mayTry: async () => true, known: () => {}, inVain: async () => {} };

export const NOTEBOOK_PORT = 8888;
export const NOTEBOOK_HOST = `${NOTEBOOK_PORT}-dev-acme.ports.example`;
/** The one visit there is; every browser that has it is Ann's. */
export const VISIT_COOKIE = 'gantry-visit=c';

/** The tenants' web with Ann's instance `dev`. Stop it. */
export const openNotebook = (cluster: PodApiServer, clock: Clock, ports: readonly number[] = []): TenantWeb =>
  new TenantWeb({
    origin: new URL('http://ports.example'),
    isWildcard: true,
    access: {
      issue: async () => 't',
      redeem: async () => undefined,
      beginVisit: async () => 'c',
      visit: async () => ({ caller: ANN, instance: 'dev', instanceUid: 'uid-dev', port: NOTEBOOK_PORT }),
    },
    logins: loginsThatLast,
    as: cluster.as as never,
    running: () => ({
      uid: 'uid-dev',
      at: { namespace: 'org-acme', pod: 'dev-1' },
      ports,
      notebookPort: NOTEBOOK_PORT,
    }),
    languageOf: () => 'en',
    addressOf: () => '192.0.2.7',
    clock,
  });

/** Acme's model `tiny`, with a worker on this machine. */
export const tinyModel = (over: Partial<ModelFacts> & Pick<ModelFacts, 'port'>): ModelFacts => ({
  uid: 'uid-tiny',
  name: 'tiny',
  namespace: 'org-acme',
  organization: 'acme',
  priced: 'tiny',
  engine: 'vllm',
  task: 'Generate',
  adapters: [],
  adaptersBy: 'model',
  contextTokens: 4096,
  workers: [{ name: 'tiny-1', podIP: '127.0.0.1', phase: 'ready' }],
  stand: 'serves',
  isAsleep: false,
  wake: { requests: 100, seconds: 60 },
  createdAt: 0,
  ...over,
});
