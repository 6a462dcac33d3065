// A gateway dies between its commit and its answer: whoever sends the call again under its Idempotency-Key gets what it made, and no second one.
import { takesIdempotencyKey } from '@gantry/contract/http/define-route.ts';
import { KIND_ROUTES } from '@gantry/contract/http/kind-routes.ts';
import { ROUTES } from '@gantry/contract/http/routes.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { migratedDatabase, resetDatabase } from '../../test/support/database.ts';
import { type MemoryGateway, startMemoryGateway } from '../../test/support/memory-gateway.ts';
import { idempotencyKeys } from './platform/db/schema/idempotency.ts';

let gateway: MemoryGateway;
beforeAll(async () => {
  const db = await migratedDatabase();
  await resetDatabase(db);
  gateway = await startMemoryGateway({ db });
}, 120_000);
afterAll(() => gateway.stop());

const ED25519 = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g';
const words = (text: string) => ({ en: text, zh: text, ja: text });
const article = {
  slug: 'guide',
  kind: 'help',
  position: 1,
  title: words('Guide'),
  content: words('Text'),
  reason: 'new',
};
const announcement = {
  ...{ title: words('Maintenance'), content: words('Tonight'), reason: 'planned' },
  ...{ starts_at: '2099-01-01T00:00:00Z', ends_at: '2099-01-02T00:00:00Z' },
};
const incident = {
  ...{ title: { en: 'x', zh: 'x', ja: 'x' }, text: { en: 'x', zh: 'x', ja: 'x' } },
  ...{ components: ['mail'], reason: 'x' },
};
/** What makes a row of SQL, with a body that makes one. */
const CREATES: Readonly<Record<string, object>> = {
  createOrganization: { org_name: 'Second', description: '' },
  createPubKey: {
    remark: 'mine',
    public_key: ED25519,
    expiration_time: null,
  },
  createModel: { name: 'mine' },
  createDataset: { name: 'mine', type: 'file' },
  createModelAlias: { name: 'best', targets: [{ deployment: 'tiny', weight: 1 }] },
  createChat: { title: 'x', model: 'tiny', messages: [] },
  createDashboard: { title: 'x', panels: [] },
  adminCreateAnnouncement: announcement,
  adminCreateArticle: article,
  adminCreateIncident: incident,
};
/** Those that say their id themselves, and objects of kinds, whose names are made of keys (`core/kinds/kind-routes.test.ts`). */
const OTHERS = new Set<string>([
  ...Object.values(KIND_ROUTES).flatMap((of) => ('create' in of && of.create ? [of.create.id] : [])),
  ...['createRegistry', 'createDatasetVersion'],
]);

test('every call that creates something is named here', () => {
  const creating = Object.values(ROUTES).filter(
    (route) => /^(admin)?create/i.test(route.id) && takesIdempotencyKey(route),
  );
  expect(creating.map(({ id }) => id).filter((id) => !OTHERS.has(id))).toEqual(
    expect.arrayContaining(Object.keys(CREATES)),
  );
  expect(creating.map(({ id }) => id).filter((id) => !OTHERS.has(id) && !(id in CREATES))).toEqual([]);
});

test.each(Object.entries(CREATES))('%s makes one thing, whenever its gateway dies', async (id, body) => {
  const { path = '' } = ROUTES[id] ?? {};
  const token = id.startsWith('admin') ? gateway.tokens.administrator : gateway.tokens.owner;
  const send = async (key: string) => {
    const answer = await gateway.client(token).fetch(`/api${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify(body),
    });
    return {
      status: answer.status,
      said: JSON.parse(await answer.text()),
      isReplay: answer.headers.get('idempotency-replayed'),
    };
  };
  const first = await send(id);
  expect(first).toEqual({ status: ROUTES[id]?.status ?? 200, said: expect.anything(), isReplay: null });
  const dead = { answer: null, version: null, holder: 'a gateway that died', heldUntil: new Date(0) };
  await gateway.db.sql.update(idempotencyKeys).set(dead);
  expect(await send(id)).toEqual({ ...first, isReplay: null });
});
