// Debian packages that the cluster and its tests need: installed if missing and we are root, otherwise named in a sentence.
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { aptGet } from './debian-mirror.ts';
import { say } from './say.ts';

/** A file of each package that tells whether it is there. */
export const PACKAGES: Readonly<Record<string, string>> = {
  containerd: '/usr/bin/containerd',
  runc: '/usr/sbin/runc',
  'containernetworking-plugins': '/usr/lib/cni/ptp',
  iproute2: '/usr/sbin/ip',
  iptables: '/usr/sbin/iptables',
  ipset: '/usr/sbin/ipset',
  conntrack: '/usr/sbin/conntrack',
  xfsprogs: '/usr/sbin/mkfs.xfs',
  'busybox-static': '/bin/busybox',
  openssl: '/usr/bin/openssl',
  'openssh-client': '/usr/bin/ssh',
  rsync: '/usr/bin/rsync',
  mmdebstrap: '/usr/bin/mmdebstrap',
  // The data worker's wheels are fetched by its pip.
  'python3-venv': '/usr/share/doc/python3-venv',
  prometheus: '/usr/bin/prometheus',
  'prometheus-node-exporter': '/usr/bin/prometheus-node-exporter',
};

/** Packages that only tests need. */
const OF_TESTS: Readonly<Record<string, string>> = {
  // The peer of published services.
  nginx: '/usr/sbin/nginx',
  postgresql: '/usr/lib/postgresql',
  // A browser to look at the console, and fonts for Chinese and Japanese.
  chromium: '/usr/bin/chromium',
  'fonts-noto-cjk': '/usr/share/doc/fonts-noto-cjk',
};

/** The package would otherwise start its own server. */
const NO_SERVER = '/etc/postgresql-common/createcluster.d/gantry-tests.conf';

/** Packages that boot another Debian, for the tests that need one. */
const OF_MACHINES: Readonly<Record<string, string>> = {
  'qemu-system-x86': '/usr/bin/qemu-system-x86_64',
  mmdebstrap: '/usr/bin/mmdebstrap',
  e2fsprogs: '/usr/sbin/mke2fs',
};

/** The script that Debian asks whether a package may start its services. */
const POLICY = '/usr/sbin/policy-rc.d';
const NO_SERVICES = '#!/bin/sh\nexit 101\n';

export const installPackages = (): Promise<void> => install(PACKAGES);

export const installMachinePackages = (): Promise<void> => install(OF_MACHINES);

export async function installTestPackages(): Promise<void> {
  await install({ ...PACKAGES, ...OF_TESTS });
}

async function install(packages: Readonly<Record<string, string>>): Promise<void> {
  const missing = Object.keys(packages).filter((name) => !existsSync(packages[name] ?? ''));
  if (missing.length === 0) return;
  const command = `apt-get install --no-install-recommends ${missing.join(' ')}`;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    throw new Error(`this machine lacks ${missing.join(', ')}; as root on Debian: ${command}`);
  }
  say(`installing ${missing.join(', ')}`);
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  await aptGet(['update', '-q'], env);
  if (missing.includes('postgresql')) {
    await mkdir(dirname(NO_SERVER), { recursive: true });
    await writeFile(NO_SERVER, 'create_main_cluster = false\n');
  }
  // We start what we need ourselves: a second Prometheus on the port that everybody knows helps nobody.
  const isOurs = !existsSync(POLICY);
  if (isOurs) await writeFile(POLICY, NO_SERVICES, { mode: 0o755 });
  try {
    await aptGet(['install', '-y', '-q', '--no-install-recommends', ...missing], env);
  } finally {
    await rm(NO_SERVER, { force: true });
    if (isOurs) await rm(POLICY, { force: true });
  }
}
