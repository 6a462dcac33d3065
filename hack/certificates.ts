// One authority per cluster, and a certificate for each identity that talks. Keys are EC; nothing is made twice.
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename } from 'node:fs/promises';
import type { Layout } from './layout.ts';
import { run } from './run.ts';
import { writeChanged } from './write-changed.ts';

interface Identity {
  readonly file: string;
  readonly subject: string;
  /** Names and addresses of a server; a certificate without them is a client's. */
  readonly altNames?: readonly string[];
}

const identities = (cluster: Layout): Identity[] => [
  {
    file: 'api-server',
    subject: '/CN=kube-apiserver',
    altNames: [
      `IP:${cluster.bridge.ip}`,
      `IP:${cluster.apiServiceIp}`,
      'IP:127.0.0.1',
      'DNS:localhost',
      'DNS:kubernetes',
      'DNS:kubernetes.default',
      'DNS:kubernetes.default.svc',
      'DNS:kubernetes.default.svc.cluster.local',
    ],
  },
  { file: 'api-server-to-kubelet', subject: '/O=system:masters/CN=kube-apiserver-kubelet-client' },
  { file: 'kueue', subject: '/CN=kueue', altNames: [`IP:${cluster.bridge.ip}`] },
  { file: 'lws', subject: '/CN=lws', altNames: [`IP:${cluster.bridge.ip}`] },
  { file: 'front-proxy', subject: '/CN=front-proxy-client' },
  { file: 'admin', subject: '/O=system:masters/CN=admin' },
  { file: 'controller-manager', subject: '/CN=system:kube-controller-manager' },
  { file: 'scheduler', subject: '/CN=system:kube-scheduler' },
  { file: 'kube-proxy', subject: '/CN=system:kube-proxy' },
  ...cluster.nodes.flatMap(({ name, ip }) => [
    { file: name, subject: `/O=system:nodes/CN=system:node:${name}` },
    { file: `${name}-serving`, subject: `/CN=${name}`, altNames: [`IP:${ip}`, `DNS:${name}`] },
  ]),
];

/** Certificates that get a kubeconfig. */
const speaksToApi = (cluster: Layout) => [
  'admin',
  'controller-manager',
  'scheduler',
  'kube-proxy',
  ...cluster.nodes.map(({ name }) => name),
];

/** The part of a layout that certificates need. */
export type Authority = Pick<Layout, 'name' | 'pkiDir'>;

export const certificateFile = (cluster: Authority, file: string) => `${cluster.pkiDir}/${file}.crt`;
export const keyFile = (cluster: Authority, file: string) => `${cluster.pkiDir}/${file}.key`;
export const kubeconfigFile = (cluster: Layout, file: string) => `${cluster.pkiDir}/${file}.kubeconfig`;

export async function makeCertificates(cluster: Layout): Promise<void> {
  await makeAuthority(cluster);
  await once(`${cluster.pkiDir}/service-account.pub`, async () => {
    await run('openssl', ['genrsa', '-out', keyFile(cluster, 'service-account'), '2048']);
    const args = ['rsa', '-in', keyFile(cluster, 'service-account'), '-pubout', '-out'];
    await run('openssl', [...args, `${cluster.pkiDir}/service-account.pub.new`]);
    await rename(`${cluster.pkiDir}/service-account.pub.new`, `${cluster.pkiDir}/service-account.pub`);
  });
  for (const identity of identities(cluster)) {
    await once(certificateFile(cluster, identity.file), () => certificate(cluster, identity));
  }
  for (const file of speaksToApi(cluster)) {
    await once(kubeconfigFile(cluster, file), () => writeKubeconfig(cluster, file, kubeconfigFile(cluster, file)));
  }
  await writeKubeconfig(cluster, 'admin', cluster.kubeconfig);
}

/** For a cluster that comes from elsewhere, the authority is the gateway's alone. Returns the files. */
export async function makeGatewayCertificate(cluster: Authority): Promise<{ cert: string; key: string; ca: string }> {
  const file = 'gateway';
  const [cert, ca] = [certificateFile(cluster, file), certificateFile(cluster, 'ca')];
  await makeAuthority(cluster);
  const altNames = ['IP:127.0.0.1', 'DNS:localhost'];
  await once(cert, () => certificate(cluster, { file, subject: '/CN=gantry-gateway', altNames }));
  return { cert, key: keyFile(cluster, file), ca };
}

async function makeAuthority(cluster: Authority): Promise<void> {
  await mkdir(cluster.pkiDir, { recursive: true, mode: 0o700 });
  await once(certificateFile(cluster, 'ca'), () =>
    certificate(cluster, { file: 'ca', subject: `/CN=${cluster.name}` }),
  );
}

async function once(file: string, make: () => Promise<void>): Promise<void> {
  if (!existsSync(file)) await make();
}

/** The certificate is written last, and atomically: after an earlier crash the next call starts again. */
async function certificate(cluster: Authority, { file, subject, altNames }: Identity): Promise<void> {
  const target = certificateFile(cluster, file);
  const kind =
    file === 'ca'
      ? ['-addext', 'basicConstraints=critical,CA:TRUE', '-addext', 'keyUsage=critical,keyCertSign,cRLSign']
      : [
          ...['-CA', certificateFile(cluster, 'ca'), '-CAkey', keyFile(cluster, 'ca')],
          ...['-addext', 'basicConstraints=critical,CA:FALSE'],
          ...['-addext', `extendedKeyUsage=${altNames ? 'serverAuth' : 'clientAuth'}`],
          ...(altNames ? ['-addext', `subjectAltName=${altNames.join(',')}`] : []),
        ];
  await run('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '3650'],
    ...['-subj', subject, '-keyout', keyFile(cluster, file), '-out', `${target}.new`, ...kind],
  ]);
  await rename(`${target}.new`, target);
}

async function writeKubeconfig(cluster: Layout, file: string, target: string): Promise<void> {
  const base64 = async (path: string) => (await readFile(path)).toString('base64');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': cluster.name,
    contexts: [{ name: cluster.name, context: { cluster: cluster.name, user: file } }],
    clusters: [
      {
        name: cluster.name,
        cluster: {
          server: cluster.apiServer,
          'certificate-authority-data': await base64(certificateFile(cluster, 'ca')),
        },
      },
    ],
    users: [
      {
        name: file,
        user: {
          'client-certificate-data': await base64(certificateFile(cluster, file)),
          'client-key-data': await base64(keyFile(cluster, file)),
        },
      },
    ],
  };
  await writeChanged(target, `${JSON.stringify(config, null, 2)}\n`, 0o600);
}
