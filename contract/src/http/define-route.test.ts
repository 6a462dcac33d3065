import { describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import { DATE_TIME } from '../fields/date-time.ts';
import { type RouteFacts, takesIdempotencyKey } from './define-route.ts';
import { envelopeOf } from './envelope.ts';
import { ROUTES } from './routes.ts';

const routes: readonly RouteFacts[] = Object.values(ROUTES);

/** Names of credentials: an answer with such a field must never be stored. */
const SECRET = /(^|_)(token|secret|ticket|kubeconfig|password|recovery_codes)$/;

/** Every property's name in a schema, however deep. A variable with a secret value only names the Secret. */
function namesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties } = schema as { properties?: object };
  const parts = Object.entries(schema).filter(([name]) => name !== 'secretEnv');
  return [...Object.keys(properties ?? {}), ...parts.flatMap(([, part]) => namesIn(part))];
}

const secretsOf = ({ answer }: RouteFacts): string[] =>
  Object.values(answer)
    .filter((part) => part instanceof z.ZodType)
    .flatMap((part) => namesIn(z.toJSONSchema(part, { io: 'input', unrepresentable: 'any', reused: 'inline' })))
    .filter((name) => SECRET.test(name) && !name.startsWith('has_'));

describe('an answer that holds a secret', () => {
  const telling = routes.filter((route) => secretsOf(route).length > 0);

  test.each(telling.map((route) => [route.id, route] as const))('%s says so, and is not kept', (_, route) => {
    expect(route.secret).toBe(true);
    expect(takesIdempotencyKey(route)).toBe(false);
  });

  test('the rows known to give one out are found', () => {
    const ids = telling.map(({ id }) => id);
    const known = ['login', 'createApiToken', 'createKubeconfig', 'confirmTotp', 'enrolTotp', 'editAccount'];
    expect(ids).toEqual(expect.arrayContaining(known));
  });
});

test('whoever answers a list says how long it is: a member `paginated` beside `data`', () => {
  const lists = routes.filter(
    ({ answer }) => 'list' in answer || ('data' in answer && answer.data instanceof z.ZodArray),
  );
  expect(lists.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['getPermissionNodes', 'listHostTags', 'findAccounts', 'listRegions', 'listGpuSpecs']),
  );
  for (const route of lists) {
    const envelope = z.toJSONSchema(envelopeOf(route) as z.ZodType, { io: 'input', unrepresentable: 'any' });
    expect([route.id, envelope.required]).toEqual([route.id, expect.arrayContaining(['data', 'paginated'])]);
  }
});

/** Every point in time in a schema, however deep. */
function momentsIn(schema: unknown): { pattern?: string; allOf?: unknown }[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = (schema as { format?: string }).format === 'date-time' ? [schema] : [];
  return [...own, ...Object.values(schema).flatMap(momentsIn)];
}

test('a moment that is sent has the shape of date-time.ts: the database and Go have no year 0, and no leap second', () => {
  const sent = routes.flatMap(({ id, params, query, body }) =>
    [params, query, body]
      .filter((part) => part instanceof z.ZodType)
      .flatMap((part) => momentsIn(z.toJSONSchema(part, { io: 'input', unrepresentable: 'any', reused: 'inline' })))
      .map(({ pattern }) => [id, pattern]),
  );
  expect(sent.map(([id]) => id)).toEqual(
    expect.arrayContaining(['listTransactions', 'createKubeconfig', 'adminSetPrice', 'adminEditAnnouncement']),
  );
  for (const [id, pattern] of sent) expect([id, pattern]).toEqual([id, DATE_TIME.source]);
});
