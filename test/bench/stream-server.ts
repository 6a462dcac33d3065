// One process that sends to many: `ours` is the gateway's stream on an embedded database, `peer` socket.io with a room. Both send
// the same views of the same changes. Its parent controls it.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MESSAGE_ROUTES } from '@gantry/contract/areas/messages/messages.ts';
import type { KubeObject } from '@gantry/contract/define-kind.ts';
import { gpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { systemClock } from '@gantry/kube/clock.ts';
import express from 'express';
import { Server as SocketServer } from 'socket.io';
import { toView } from '../../api/src/core/kinds/to-view.ts';
import { openDatabase } from '../../api/src/platform/db/open.ts';
import { accounts, memberships, organizations } from '../../api/src/platform/db/schema/people.ts';
import { routerOf, runnablesOf } from '../../api/src/platform/http/routes-of.ts';
import { guardStreams } from '../../api/src/platform/http/stream-guard.ts';
import { HUB_LIMITS, StreamHub } from '../../api/src/platform/http/stream-hub.ts';
import { Announcements } from '../../api/src/platform/messages/announcements.ts';
import { MessageFeed } from '../../api/src/platform/messages/message-feed.ts';
import { messageRoutes } from '../../api/src/platform/messages/message-routes.ts';
import { MessageStore } from '../../api/src/platform/messages/message-store.ts';
import { frameParts } from '../support/frame-parts.ts';

export const ACCOUNTS = 50;

/** So many changes, one at a time, so far apart; or messages to every account. */
export interface Order {
  readonly changes?: number;
  readonly messages?: number;
  readonly gapMs: number;
}

const REGION = { id: 'us-east', label: 'US East Washington' };

let version = 0;
const instance = (): KubeObject => {
  version++;
  return {
    apiVersion: 'gantry.dev/v1alpha1',
    kind: 'GpuInstance',
    metadata: {
      name: `ins-${version % 100}`,
      namespace: 'org-acme',
      uid: `uid-${version % 100}`,
      resourceVersion: `${version}`,
      generation: 1,
      creationTimestamp: '2026-01-01T00:00:00Z',
    },
    spec: {
      displayName: 'training',
      power: 'Running',
      rebootCount: 0,
      image: 'pytorch/pytorch:2.4.0',
      gpu: { model: 'NVIDIA-H100', count: 8 },
      cores: 32,
      memoryGi: 256,
      homeDisk: { sizeGi: 100 },
    },
    status: {
      phase: 'running',
      reason: 'Running',
      node: 'gpu-node-17',
      health: 'normal',
      rebootCount: 0,
      everReady: true,
      run: { seq: 3, cause: 'start', readyAt: '2026-01-01T00:00:10Z' },
      observedGeneration: 1,
    },
  } as KubeObject;
};

interface Party {
  readonly port: number;
  change(): void;
  message(): Promise<void>;
}

async function ours(): Promise<Party> {
  const db = await openDatabase({ memory: true });
  const at = new Date();
  const ids = Array.from({ length: ACCOUNTS }, (_, index) => `acc-${index}`);
  await db.sql.insert(accounts).values(ids.map((id) => ({ id, name: id, createdAt: at })));
  await db.sql.insert(organizations).values({ id: 'acme', name: 'acme', currency: 'USD', createdAt: at });
  await db.sql
    .insert(memberships)
    .values(ids.map((accountId) => ({ organizationId: 'acme', accountId, role: 'member' as const, createdAt: at })));
  const clock = systemClock;
  const log = { warn: (facts: object, message: string) => console.error(message, facts) };
  const { signal } = new AbortController();
  const store = new MessageStore({ db, clock });
  const hub = new StreamHub({
    clock,
    view: (facts, object, language, role) => toView(facts, object, { language, role }, { region: REGION }),
    limits: { ofAccount: HUB_LIMITS.altogether },
  });
  const feed = new MessageFeed({ store, announcements: new Announcements({ db, clock }), listeners: hub, clock, log });
  await feed.start(signal);
  // A session each, which is asked after as in production; the database's part of that is not.
  const rolesOf = async (sessions: readonly string[]) => new Map(sessions.map((id) => [id, 'member' as const]));
  void guardStreams({ hub, clock, log, sessions: { rolesOf } }, signal);
  const app = express();
  const parts = frameParts({
    answerLimitMs: 60_000,
    authenticate: async (token) => {
      const id = `acc-${Number(token) % ACCOUNTS}`;
      return {
        account: { id, name: id, email: null, locale: 'en', platformRoles: [] },
        organization: { id: 'acme', role: 'member', namespace: 'org-acme' },
        session: { id: `ses-${token}`, kind: 'session', scopes: [], expiresAt: 8e15 },
      };
    },
  });
  const served = messageRoutes({ store, feed, hub });
  app.use(
    '/api',
    routerOf(runnablesOf(parts, Object.values(MESSAGE_ROUTES), served), () => false),
  );
  let sent = 0;
  return {
    port: await listening(createServer(app)),
    change() {
      const object = instance();
      hub.change({ kind: gpuInstance, namespace: 'org-acme', name: object.metadata.name, after: object });
    },
    async message() {
      sent++;
      const text = { en: `${sent}`, zh: `${sent}`, ja: `${sent}` };
      await store.send({ key: `${sent}`, title: text, content: text }, { organization: 'acme', roles: ['member'] });
    },
  };
}

async function peer(): Promise<Party> {
  const server = createServer();
  const io = new SocketServer(server, { transports: ['websocket'], serveClient: false });
  io.on('connection', (socket) => void socket.join('acme'));
  return {
    port: await listening(server),
    change() {
      const object = instance();
      const view = toView(gpuInstance, object, { language: 'en', role: 'member' }, { region: REGION });
      io.to('acme').emit('resource', {
        kind: gpuInstance.kind,
        id: object.metadata.name,
        type: 'put',
        view,
        version: object.metadata.resourceVersion,
      });
    },
    message: async () => undefined,
  };
}

function listening(server: ReturnType<typeof createServer>): Promise<number> {
  return new Promise((resolve) => {
    server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => resolve((server.address() as AddressInfo).port));
  });
}

async function carryOut({ change, message }: Party, { changes = 0, messages = 0, gapMs }: Order): Promise<void> {
  for (let at = 0; at < Math.max(changes, messages); at++) {
    if (at < changes) change();
    if (at < messages) await message();
    await new Promise((resolve) => setTimeout(resolve, gapMs));
  }
}

if (process.send) {
  const party = await (process.argv[2] === 'ours' ? ours() : peer());
  process.on('message', (order: Order | 'cpu') => {
    if (order !== 'cpu') return void carryOut(party, order);
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuMs: (user + system) / 1_000 });
  });
  process.once('disconnect', () => process.exit());
  process.send({ port: party.port });
}
