// The image registry, on the bridge: nodes call it registry.gantry.internal, the host uses its address. There `node-agent registry`
// listens, the only issuer of tokens that is trusted; behind it stores distribution.
import { createHash, createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { binary } from './binaries.ts';
import { answersOk } from './control-plane.ts';
import { platformLogin } from './crane.ts';
import { buildAgent } from './images/build.ts';
import type { Layout } from './layout.ts';
import { flags, startProcess, stopProcess, waitReady } from './process.ts';
import { writeChanged } from './write-changed.ts';

const SERVICE = 'gantry-registry';
const ISSUER = 'gantry';
const PLATFORM_USER = 'platform';

const files = ({ registry: { secretsDir } }: Layout) => ({
  key: `${secretsDir}/signing.key`,
  trusted: `${secretsDir}/trusted.json`,
  password: `${secretsDir}/platform.password`,
});

/** Written once the API server knows the account (platform.ts). */
export const registryKubeconfig = ({ registry }: Layout): string => `${registry.secretsDir}/kubeconfig`;

/** Step. Restarts the token endpoint each time, because its code may have changed. */
export async function startRegistry(cluster: Layout): Promise<void> {
  await makeSecrets(cluster);
  await startDistribution(cluster);
  await startTokens(cluster);
}

async function startDistribution(cluster: Layout): Promise<void> {
  const { address, behind, dir } = cluster.registry;
  await mkdir(dir, { recursive: true });
  const config = JSON.stringify({
    version: '0.1',
    log: { level: 'warn', accesslog: { disabled: true } },
    // No cache of blobs: it would know of some that were collected.
    storage: {
      filesystem: { rootdirectory: dir },
      delete: { enabled: true },
      // Purges partial uploads of killed agents, by start time: no upload takes that long.
      maintenance: { uploadpurging: { enabled: true, age: '12h', interval: '30m', dryrun: false } },
    },
    // Serves what the collector has hidden, and brings it back.
    middleware: { storage: [{ name: 'gantry' }] },
    http: { addr: behind },
    auth: {
      token: {
        // By the name that a client uses: many send passwords nowhere else.
        realm: `http://${address}/token`,
        autoredirect: true,
        autoredirectpath: '/token',
        service: SERVICE,
        issuer: ISSUER,
        jwks: files(cluster).trusted,
        signingalgorithms: ['ES256'],
      },
    },
  });
  // A process started by older code would keep its old configuration, and maybe the port of the other.
  const isOld = (await readFile(configFile(cluster), 'utf8').catch(() => config)) !== config;
  if (isOld) for (const name of ['registry', 'registry-tokens']) await stopProcess(cluster, name);
  await writeChanged(configFile(cluster), config);
  await startProcess(cluster, {
    name: 'registry',
    command: [await binary('registry'), 'serve', configFile(cluster)],
    env: { OTEL_TRACES_EXPORTER: 'none' },
  });
  await waitReady(cluster, 'registry', () => answers(`http://${behind}/v2/`));
}

/** Without a token it says so, and is there. */
const answers = async (url: string): Promise<boolean> => (await fetch(url)).status === 401;

const configFile = ({ dir }: Layout) => `${dir}/registry.json`;

/** A test may want another pace of sweeping and collecting. */
export async function startTokens(
  cluster: Layout,
  { collectAge = '12h', ...pace }: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { address, behind, dir, name } = cluster.registry;
  const { key, password } = files(cluster);
  const command = await buildAgent(cluster, 'node-agent');
  await stopProcess(cluster, 'registry-tokens');
  await startProcess(cluster, {
    name: 'registry-tokens',
    command: [
      command,
      'registry',
      ...flags({
        listen: address,
        'registry-url': `http://${behind}`,
        'registry-name': name,
        service: SERVICE,
        issuer: ISSUER,
        'signing-key-file': key,
        'platform-password-file': password,
        kubeconfig: registryKubeconfig(cluster),
        'sweep-memory': `${dir}/sweep-memory.json`,
        ...pace,
      }),
      '--',
      await binary('registry'),
      'collect',
      `--age=${collectAge}`,
      configFile(cluster),
    ],
    env: { OTEL_TRACES_EXPORTER: 'none' },
  });
  await waitReady(cluster, 'registry-tokens', () => answersOk(`http://${address}/healthz`));
}

/** Made once per cluster; nobody but this machine's administrator reads them. */
async function makeSecrets(cluster: Layout): Promise<void> {
  const { key, trusted, password } = files(cluster);
  const login = platformLogin(cluster);
  await mkdir(login, { recursive: true, mode: 0o700 });
  await once(key, () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  });
  await once(password, () => randomBytes(32).toString('hex'));
  await writeChanged(trusted, JSON.stringify({ keys: [publicKeyOf(await readFile(key, 'utf8'))] }));
  const auth = Buffer.from(`${PLATFORM_USER}:${await readFile(password, 'utf8')}`).toString('base64');
  await writeChanged(
    `${login}/config.json`,
    JSON.stringify({ auths: { [cluster.registry.address]: { auth } } }),
    0o600,
  );
}

async function once(file: string, content: () => string): Promise<void> {
  if (existsSync(file)) return;
  await writeFile(`${file}.new`, content(), { mode: 0o600 });
  await rename(`${file}.new`, file);
}

/** As a JSON Web Key that is named by its thumbprint (RFC 7638), which tokens name as their signer's. */
function publicKeyOf(privateKey: string) {
  const { crv, kty, x, y } = createPublicKey(privateKey).export({ format: 'jwk' });
  const kid = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
  return { crv, kty, x, y, kid, alg: 'ES256', use: 'sig' };
}
