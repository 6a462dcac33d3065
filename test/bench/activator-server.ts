// One published service in a process of its own: the gateway's way of requests, without its API. Arguments: the replica's port.
// Writes its own port.
import type { ContainerService } from '@gantry/contract/kinds/container-service.ts';
import { systemClock } from '@gantry/kube/clock.ts';
import { Activator } from '../../api/src/areas/container-services/activator.ts';
import { SHORT_WAY_LIMITS, serveHttp } from '../../api/src/platform/http/serve-http.ts';
import { layShortWay } from '../../api/src/platform/relay/short-way.ts';

const port = Number(process.argv[2]);
const refuse = async () => undefined;
const activator = new Activator({
  origin: new URL('http://tenants.example'),
  access: { issue: async () => '', redeem: refuse, beginVisit: async () => '', visit: refuse },
  logins: { holds: async () => false, follow: () => () => {} },
  authenticate: refuse,
  attempts: { mayTry: async () => true, known: () => {}, inVain: async () => {} },
  find: () => undefined,
  wake: async () => {},
  consolePage: () => '',
  addressOf: (req) => req.socket.remoteAddress ?? '',
  languageOf: () => 'en',
  isAddress: () => true,
  clock: systemClock,
  log: { warn: () => {} },
});
activator.services.update('org-acme', 'chat', {
  metadata: { name: 'chat', namespace: 'org-acme', uid: 'uid-chat' },
  spec: { power: 'Running', replicas: 1, publish: { port, access: 'Public' }, wake: { requests: 100, seconds: 120 } },
  status: { phase: 'active', pods: [{ name: 'chat-service-x-1', uid: 'p1', podIP: '127.0.0.1', phase: 'ready' }] },
} as unknown as ContainerService);

const { url, server } = await serveHttp(
  (req, res) => {
    if (!activator.answer(req, res)) res.writeHead(404).end();
  },
  { host: '127.0.0.1', port: 0 },
);
layShortWay(server, (req, reply) => activator.answerPlain(req, reply), SHORT_WAY_LIMITS);
console.log(new URL(url).port);
