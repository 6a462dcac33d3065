// Every number and every time of every kind, at and beyond the bounds of its schema, against a real API server: it accepts what
// the contract accepts, on a create, on a change and in a status.
import type { KindFacts } from '@gantry/contract/define-kind.ts';
import { KINDS } from '@gantry/contract/kinds.ts';
import { ApiError } from '@gantry/kube/api-error.ts';
import { KubeClient } from '@gantry/kube/client.ts';
import { systemClock } from '@gantry/kube/clock.ts';
import { Credentials } from '@gantry/kube/credentials.ts';
import { resourceOf } from '@gantry/kube/resource.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { KubeConfig } from '@kubernetes/client-node';
import { type CrdSchema, schemaOf } from '../../contract/gen/crd.ts';
import { type ApiServer, startApiServer } from '../support/api-server.ts';
import { eventually } from '../support/eventually.ts';
import { HOSTILE } from '../support/hostile.ts';
import { SOUND_NAMESPACE, type SoundObject } from '../support/sound/parts.ts';
import { FORMS, SOUND } from '../support/sound-objects.ts';

let server: ApiServer;
let credentials: Credentials;
let client: KubeClient;
beforeAll(async () => {
  server = await startApiServer();
  credentials = new Credentials(() => {
    const config = new KubeConfig();
    config.loadFromFile(server.kubeconfig);
    return config;
  }, systemClock);
  client = new KubeClient(credentials, { fieldManager: 'schema-values' });
  await server.kubectl.must(['create', '-f', '-'], {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: SOUND_NAMESPACE, labels: { 'gantry.dev/organization': 'acme' } },
  });
});
afterAll(async () => {
  credentials?.close();
  await server?.stop();
});

interface Field {
  readonly part: 'spec' | 'status';
  readonly path: readonly string[];
  readonly schema: CrdSchema & { minimum?: number; maximum?: number };
}

/** Leaves below a part of a kind; of a list its first entry, of a map the member that the sound object has. */
function* leaves(part: Field['part'], schema: CrdSchema, path: string[] = []): Generator<Field> {
  for (const [name, child] of Object.entries(schema.properties ?? {})) yield* leaves(part, child, [...path, name]);
  if (schema.items) yield* leaves(part, schema.items, [...path, '0']);
  if (!schema.properties && !schema.items) yield { part, path, schema };
}

const isNumber = ({ schema }: Field) => schema.type === 'number' || schema.type === 'integer';

/** At its bounds, just beyond them, as nothing, below nothing, whole and in part. */
function numbersFor({ schema: { minimum = 0, maximum = 2 ** 53 - 1 } }: Field): number[] {
  const near = [minimum, maximum].flatMap((bound) => [bound, bound - 1, bound + 1, bound * (1 - 2 ** -50)]);
  const whole = [Math.floor(minimum), Math.ceil(minimum), Math.floor(maximum), Math.ceil(maximum)];
  return [...new Set([...near, ...whole, 0, -1, 1, 0.5, 1.5, -0.5, ...HOSTILE.numbers])];
}

const at = (object: unknown, path: readonly string[]): unknown =>
  path.reduce((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], object);

function changed(part: object, path: readonly string[], value: unknown): Record<string, unknown> {
  const copy = structuredClone(part) as Record<string, unknown>;
  (at(copy, path.slice(0, -1)) as Record<string, unknown>)[path.at(-1) as string] = value;
  return copy;
}

/** False where the schema refuses; whatever else goes wrong is thrown. */
const admits = (asked: Promise<unknown>): Promise<boolean> =>
  asked.then(
    () => true,
    (error: unknown) => {
      if (error instanceof ApiError && error.code === 422) return false;
      throw error;
    },
  );

/** A rule of the API server's compares these with another field: there it may refuse what the contract takes, and never the reverse. */
const SCALING = ['autoscaling.min', 'autoscaling.max', 'autoscaling.schedules.0.min', 'update.maxSurge'];
const RELATED: ReadonlySet<string> = new Set(
  Object.entries({
    containerService: ['ports.0.port', 'publish.port', ...SCALING],
    modelDeployment: ['gpu.count', 'tensorParallel', ...SCALING],
    alertPolicy: ['begins.met', 'begins.of'],
    dataProcess: ['chunks.maxTokens', 'chunks.overlap', 'clean.minChars', 'clean.maxChars', 'split.parts.0.percent'],
    evaluation: ['baseline'],
  }).flatMap(([kind, fields]) => fields.map((field) => `${kind}.spec.${field}`)),
);

describe.each(Object.entries(KINDS) as [keyof typeof KINDS, KindFacts][])('%s', (key, facts) => {
  const resource = resourceOf(facts);
  const sound = SOUND[key];
  const { properties: { spec, status } = {} } = schemaOf(facts);
  const fields = [...leaves('spec', spec ?? {}), ...leaves('status', status ?? {})];
  /** The part of the sound object that has this field. */
  const soundAt = (part: Field['part'], path: readonly string[]) =>
    (part === 'spec' ? FORMS[key].find((form) => at(form, path) !== undefined) : undefined) ?? sound[part];
  const parts = { spec: facts.spec, status: facts.status };
  const metadata = { name: sound.metadata.name, ...(facts.scope === 'Namespaced' && { namespace: SOUND_NAMESPACE }) };
  let made: SoundObject;
  beforeAll(async () => {
    const { apiVersion, kind } = sound;
    made = (await client.create(resource, {
      apiVersion,
      kind,
      metadata,
      spec: sound.spec,
    } as SoundObject)) as SoundObject;
  });
  const patch = (body: Record<string, unknown>, subresource?: 'status') =>
    client.mergePatch(
      resource,
      { apiVersion: made.apiVersion, kind: made.kind, ...metadata, uid: made.metadata.uid ?? '', body },
      subresource,
      { dryRun: 'All', fieldValidation: 'Strict' },
    );

  test('the sound object is sound, and has every number', async () => {
    expect(
      fields.filter(isNumber).filter(({ part, path }) => typeof at(soundAt(part, path), path) !== 'number'),
    ).toEqual([]);
    expect(await admits(patch({ status: sound.status }, 'status'))).toBe(true);
    expect(parts.spec.safeParse(sound.spec).error).toBeUndefined();
    expect(parts.status.safeParse(sound.status).error).toBeUndefined();
  });

  const { unreadable, readable } = HOSTILE.dates;
  const dates = [...unreadable, ...readable];
  // One schema stands at all of them: of a status some values tell whether it does.
  const someDates = [...unreadable.slice(0, 4), ...readable.slice(0, 1)];
  const isDate = ({ part, path }: Field) => /^\d{4}-\d\d-\d\dT/.test(String(at(soundAt(part, path), path)));
  const CASES = fields.flatMap((field): [name: string, field: Field, values: readonly unknown[]][] => {
    const name = [field.part, ...field.path].join('.');
    if (isNumber(field)) return [[name, field, numbersFor(field)]];
    return isDate(field) ? [[name, field, field.part === 'spec' ? dates : someDates]] : [];
  });

  test.each(CASES)(
    '%s is taken by the API server where the contract takes it',
    async (name, { part, path }, values) => {
      const messages = await Promise.all(
        values.map(async (value) => {
          const whole = changed(soundAt(part, path), path, value);
          const { apiVersion, kind } = sound;
          const other = { ...metadata, name: `${metadata.name}-x` };
          const asked =
            part === 'spec'
              ? client.create(resource, { apiVersion, kind, metadata: other, spec: whole } as SoundObject, {
                  dryRun: 'All',
                  fieldValidation: 'Strict',
                })
              : patch({ status: whole }, 'status');
          return [value, await admits(asked)];
        }),
      );
      const meant = values.map((value) => [
        value,
        parts[part].safeParse(changed(soundAt(part, path), path, value)).success,
      ]);
      if (RELATED.has(`${key}.${name}`))
        expect(messages.filter(([, is], index) => is && !meant[index]?.[1])).toEqual([]);
      else expect(messages).toEqual(meant);
      if (part === 'status') return;
      const changes = meant.map(async ([value, isMeant]) =>
        isMeant || !(await admits(patch({ spec: changed(soundAt(part, path), path, value) }))) ? [] : [value],
      );
      expect((await Promise.all(changes)).flat()).toEqual([]);
    },
  );
});

test('a value that an older schema let in stays, and the rest of the object can still be changed', async () => {
  const { kubectl } = server;
  const name = 'gpuinstances.gantry.dev';
  const crd = JSON.parse(await kubectl.must(['get', 'crd', name, '-o', 'json']));
  const loose = structuredClone(crd);
  const { spec } = loose.spec.versions[0].schema.openAPIV3Schema.properties;
  for (const field of [spec.properties.cores, spec.properties.sshKeys.items.properties.expiresAt])
    delete field['x-kubernetes-validations'];
  const { apiVersion, kind } = SOUND.gpuInstance;
  const old = {
    apiVersion,
    kind,
    metadata: { name: 'old', namespace: SOUND_NAMESPACE },
    spec: {
      ...SOUND.gpuInstance.spec,
      cores: 0,
      sshKeys: [{ remark: 'ann', publicKey: 'ssh-ed25519 AAAA', expiresAt: '2099-11-23T02:00:00+99:99' }],
    },
  };
  const create = (...more: string[]) => kubectl.run(['create', ...more, '-f', '-'], old);
  const patch = (change: object) =>
    kubectl.run([
      'patch',
      'gpuinstance',
      'old',
      '-n',
      SOUND_NAMESPACE,
      '--type=merge',
      '-p',
      JSON.stringify({ spec: change }),
    ]);

  await kubectl.must(['replace', '-f', '-'], loose);
  await eventually('the loose schema', async () => (await create()).code === 0);
  delete crd.metadata.resourceVersion;
  await kubectl.must(['replace', '-f', '-'], crd);
  await eventually('the strict schema', async () =>
    (await create('--dry-run=server')).stderr.includes('must be at least 0.1'),
  );

  expect(await patch({ power: 'Stopped' })).toMatchObject({ code: 0 });
  expect((await patch({ cores: 0.05 })).stderr).toContain('must be at least 0.1');
  expect(await patch({ cores: 1, sshKeys: null })).toMatchObject({ code: 0 });
});
