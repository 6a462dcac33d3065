// A place without a way out: what `make bundle` writes, and nothing else, becomes an installation whose nodes and Pods reach only each
// other, the API server and the registry.
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PLATFORM_NAMESPACE } from '@gantry/contract/names.ts';
import type { Pod } from '@gantry/kube/core-objects.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { platformLogin } from '../../hack/crane.ts';
import { chartValues, fillRegistry, installChart } from '../../hack/helm/install-chart.ts';
import type { Layout } from '../../hack/layout.ts';
import { run } from '../../hack/run.ts';
import { runCommand } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import type { Kubectl } from '../support/kubectl.ts';
import { isSoak, isTurn } from '../support/soak.ts';
import type { Installing } from './two-gateways.ts';

const PREPARED_WITHIN_MS = 600_000;
/** In the registry that is there; anybody may pull from below `official`. */
const PLACE = 'official/bundled';
/** Addresses for documentation: no network leads to them. */
const OUTSIDE = '192.0.2.1';

interface Values {
  readonly image: { readonly registry: string; readonly digests: Readonly<Record<string, string>> };
}

/** With the bundle it takes three minutes: one day of seven has it. */
const DAYS = 7;

export function withoutAWayOut(installing: () => Installing): void {
  if (isSoak || isTurn(5, DAYS)) describe('without a way out', () => stories(installing));
}

function stories(installing: () => Installing): void {
  let cluster: Layout;
  let kubectl: Kubectl;
  let folder: string;
  let bundle: string;
  let publicKey: string;

  beforeAll(async () => {
    ({ cluster, kubectl } = installing());
    await installing().removePlatform();
    folder = await mkdtemp(join(tmpdir(), 'gantry-bundle-'));
    const pair = generateKeyPairSync('ed25519');
    const key = join(folder, 'key.pem');
    publicKey = join(folder, 'public.pem');
    await writeFile(key, pair.privateKey.export({ type: 'pkcs8', format: 'pem' }));
    await writeFile(publicKey, pair.publicKey.export({ type: 'spki', format: 'pem' }));
    await run('make', ['bundle'], { env: { SIGNING_KEY: key } });
    const archives = (await readdir('.run/bundle')).filter((file) => file.endsWith('.tar'));
    expect(archives).toHaveLength(1);
    await run('tar', ['--extract', '--file', join('.run/bundle', archives[0] ?? ''), '--directory', folder]);
    bundle = join(folder, (archives[0] ?? '').replace(/\.tar$/, ''));
    await block(cluster);
  }, PREPARED_WITHIN_MS);
  afterAll(async () => {
    await unblock(cluster);
    await rm(folder, { recursive: true, force: true });
  });

  test(
    'a signed bundle becomes an installation in which an instance runs, and nobody tries to get out',
    async () => {
      const { registry } = cluster;
      const { code, stdout, stderr } = await runCommand(
        join(bundle, 'gantry'),
        ['load', `--registry=${registry.address}/${PLACE}`, '--plain-http', `--public-key=${publicKey}`],
        { env: { DOCKER_CONFIG: platformLogin(cluster) } },
      );
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain(`signed with the key of ${publicKey}`);
      const loaded: Values = parse(await readFile(join(bundle, 'values.yaml'), 'utf8'));
      expect(loaded.image.registry).toBe(`${registry.address}/${PLACE}`);
      // Nodes know the same registry by its name.
      const image = { ...loaded.image, registry: `${registry.images}/${PLACE}` };
      const values = { ...(await chartValues(cluster)), image };
      await installChart(cluster, { values, chart: join(bundle, 'chart') });
      await fillRegistry(cluster);
      const pods = await kubectl.get<{ items: readonly Pod[] }>('pods', '-n', PLATFORM_NAMESPACE);
      const images = (pods?.items ?? []).flatMap(({ spec }) => spec?.containers.map((container) => container.image));
      expect(images.length).toBeGreaterThan(5);
      expect(images.filter((one) => !one?.startsWith(`${image.registry}/`))).toEqual([]);

      await kubectl.must(['apply', '-f', 'crds/examples/organization.yaml']);
      await kubectl.must(['wait', '--for=jsonpath={.status.phase}=ready', 'organization/acme', '--timeout=120s']);
      await kubectl.must(['apply', '-f', 'crds/examples/gpu-instance.yaml']);
      const running = ['gpuinstance/dev', '-n', 'org-acme', '--timeout=120s'];
      await kubectl.must(['wait', '--for=jsonpath={.status.phase}=running', ...running]);
      expect(await packetsToOutside(cluster)).toBe(0);

      // Whoever does try is stopped, and counted.
      const node = cluster.nodes[0];
      const tries = await runCommand('nsenter', [
        `--net=${node?.netnsPath}`,
        'busybox',
        'nc',
        '-w',
        '2',
        OUTSIDE,
        '443',
      ]);
      expect(tries.code).not.toBe(0);
      await eventually('the attempt is counted', async () => (await packetsToOutside(cluster)) > 0);
    },
    PREPARED_WITHIN_MS,
  );
}

/** From nodes and Pods to anywhere beyond this machine. `down` removes it by its comment. */
const rule = ({ bridge: { device }, ruleComment }: Layout): string[] => [
  ...['FORWARD', '-i', device, '!', '-o', device, '-j', 'DROP'],
  ...['-m', 'comment', '--comment', ruleComment],
];
const block = (cluster: Layout) => run('iptables', ['-w', '-I', ...rule(cluster)]);
const unblock = (cluster: Layout) => runCommand('iptables', ['-w', '-D', ...rule(cluster)]);

async function packetsToOutside({ bridge: { device } }: Layout): Promise<number> {
  const listed = await run('iptables', ['-w', '-v', '-S', 'FORWARD']);
  const [, packets] = new RegExp(`-i ${device} ! -o ${device} .* -c (\\d+) `).exec(listed) ?? [];
  if (packets === undefined) throw new Error('the rule that blocks is gone');
  return Number(packets);
}
