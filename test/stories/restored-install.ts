// The drill of the chart's README: an install is backed up into a bucket, everything is removed, and another install brings it back.

import { WALLET_ROUTES } from '@gantry/contract/areas/billing/wallet.ts';
import { parseMoney } from '@gantry/contract/fields/money.ts';
import { KIND_ROUTES } from '@gantry/contract/http/kind-routes.ts';
import type { GpuInstance } from '@gantry/contract/kinds/gpu-instance.ts';
import { organizationNamespace, PLATFORM_NAMESPACE } from '@gantry/contract/names.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { addressOf, chartValues, fillRegistry, firstPassword, installChart } from '../../hack/helm/install-chart.ts';
import { paymentsOfPods } from '../../hack/helm/stand-ins.ts';
import type { Layout } from '../../hack/layout.ts';
import { topUp } from '../support/card-double.ts';
import { eventually } from '../support/eventually.ts';
import { HttpClient } from '../support/http-client.ts';
import type { Kubectl } from '../support/kubectl.ts';
import { type ObjectStore, startObjectStore } from '../support/object-store.ts';
import { firstAdministrator, type Person } from '../support/sign-up.ts';
import { isSoak, isTurn } from '../support/soak.ts';
import { SMALL } from './stage.ts';
import type { Installing } from './two-gateways.ts';

const PATIENCE_MS = 120_000;
const PREPARED_WITHIN_MS = 600_000;
const NAMESPACED = ['-n', PLATFORM_NAMESPACE] as const;
const SEALED_BY = 'nobody guesses this one, which is long';
/** It takes two minutes: one day of seven has it. */
const DAYS = 7;

export function restoredInstall(installing: () => Installing): void {
  if (isSoak || isTurn(0, DAYS)) describe('an install that is restored', () => stories(installing));
}

function stories(installing: () => Installing): void {
  let cluster: Layout;
  let kubectl: Kubectl;
  let store: ObjectStore;
  let values: object;
  let staff: Person;
  let org: string;
  let id: string;
  let platformKey: string;
  let credits: bigint;

  beforeAll(async () => {
    ({ cluster, kubectl } = installing());
    store = await startObjectStore({ address: cluster.bridge.ip });
    const { bucket, endpoint } = store;
    values = {
      ...(await chartValues(cluster)),
      backup: { s3: { bucket, endpoint, existingSecret: 'backup-s3' }, existingSecret: 'backup-key', schedule: '' },
    };
  });
  afterAll(() => store?.end());

  /** On a cluster that has nothing of ours. */
  async function install(other: object = {}): Promise<void> {
    await installing().removePlatform();
    await kubectl.must(['create', 'namespace', PLATFORM_NAMESPACE]);
    const { accessKeyId, secretAccessKey } = store.credentials;
    await secret('backup-s3', { accessKey: accessKeyId, secretKey: secretAccessKey });
    await secret('backup-key', { key: SEALED_BY });
    await installChart(cluster, { values: { ...values, ...other } });
    await fillRegistry(cluster);
  }
  const secret = (name: string, content: Record<string, string>) =>
    kubectl.must([
      ...['create', 'secret', 'generic', name, ...NAMESPACED],
      ...Object.entries(content).map(([key, value]) => `--from-literal=${key}=${value}`),
    ]);
  const gantry = (...words: string[]) =>
    kubectl.must(['exec', ...NAMESPACED, 'statefulset/gantry-gateway', '--', 'gantry', ...words]);
  const console = async () => {
    const host = await addressOf(cluster, 'gantry-gateway');
    return new HttpClient(() => `http://${host}:8080`);
  };
  const keyOfPlatform = () =>
    kubectl.must(['get', 'secret', 'gantry-platform-key', ...NAMESPACED, '-o', 'jsonpath={.data.key}']);
  const balance = async () => parseMoney((await staff.client.must(WALLET_ROUTES.balances)).credits);
  const instance = () => kubectl.get<GpuInstance>('gpuinstance', id, '-n', organizationNamespace(org));
  const becomes = (status: { phase?: string; reason?: string }) =>
    eventually(
      `the instance is ${status.phase ?? status.reason}`,
      async () => {
        expect((await instance())?.status).toMatchObject(status);
        return true;
      },
      PATIENCE_MS,
    );

  test(
    'a person has credit and an instance, and a backup of both is in the bucket',
    async () => {
      await install();
      const password = (await firstPassword(cluster)) ?? '';
      staff = await firstAdministrator({
        client: await console(),
        administrator: () => Promise.resolve({ name: 'admin', password }),
      });
      ({ org_id: org } = await staff.organizationReady());
      await topUp(staff.client, paymentsOfPods(cluster), '20');
      const { image = '', cores = 0, memoryGi = 0 } = SMALL;
      const body = { displayName: 'dev', image, cores, memoryGi };
      ({ id } = await eventually(
        'the instance is made',
        () => staff.client.must(KIND_ROUTES.gpuInstance.create, { body }),
        PATIENCE_MS,
      ));
      await becomes({ phase: 'running' });
      platformKey = await keyOfPlatform();
      credits = await balance();
      expect(await gantry('backup')).toMatch(/ is in the bucket$/m);
    },
    PREPARED_WITHIN_MS,
  );

  test(
    'on a cluster that was emptied, the values of a restore bring it back, with its key, books that prove, and nothing else that runs',
    async () => {
      await install({ restore: { from: 'latest' } });
      // As NOTES.txt says.
      const ended = '--for=jsonpath={.status.conditions[0].status}=True';
      const job = [ended, 'job/gantry-restore', ...NAMESPACED, '--timeout=120s'];
      const waited = await kubectl.run(['wait', ...job]);
      const report = await kubectl.must(['logs', 'job/gantry-restore', ...NAMESPACED]);
      expect([waited.code, report]).toEqual([0, expect.stringMatching(/^restored \d+ rows and [1-9]\d* objects; 0 /m)]);
      expect(report).toMatch(/^\d+ transfers, .* 0 faults$/m);
      expect(report).not.toContain(' was refused');
      expect(await keyOfPlatform()).toBe(platformKey);
      for (const secret of [platformKey, SEALED_BY, store.credentials.secretAccessKey])
        expect(report).not.toContain(secret);
      for (const part of ['gateway', 'operator'])
        expect(await kubectl.must(['get', 'pods', ...NAMESPACED, '-l', `app.kubernetes.io/name=gantry-${part}`])).toBe(
          '',
        );
    },
    PREPARED_WITHIN_MS,
  );

  test(
    'the next upgrade starts it: the password and the credit are those of before, and the instance runs again',
    async () => {
      await installChart(cluster, { values });
      expect(await keyOfPlatform()).toBe(platformKey);
      for (const kind of ['clusterrolebinding', 'serviceaccount', 'job'])
        expect(await kubectl.get(kind, 'gantry-restore', ...NAMESPACED)).toBeUndefined();
      staff.client = await console();
      await staff.login();
      const spent = credits - (await balance());
      expect(spent).toBeGreaterThanOrEqual(0n);
      expect(spent).toBeLessThan(parseMoney('1'));
      // A home that is lost is not replaced before its tenant says so.
      await becomes({ reason: 'HomeLost' });
      const again = ['patch', 'gpuinstance', id, '-n', organizationNamespace(org), '--type=merge'];
      await kubectl.must([...again, '--patch={"spec":{"rebootCount":1}}']);
      await becomes({ phase: 'running' });
      expect(await gantry('books', 'verify')).toMatch(/^\d+ transfers, .* 0 faults$/m);
    },
    PREPARED_WITHIN_MS,
  );
}
