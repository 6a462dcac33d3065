// What the cluster and its tests take from Debian: installed when missing and we are root, else named in a sentence.
import { existsSync } from 'node:fs';
import { run } from './run.ts';
import { say } from './say.ts';

/** A file of each package that tells whether it is there. */
const PACKAGES: Readonly<Record<string, string>> = {
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
};

export async function installPackages(): Promise<void> {
  const missing = Object.keys(PACKAGES).filter((name) => !existsSync(PACKAGES[name] ?? ''));
  if (missing.length === 0) return;
  const command = `apt-get install --no-install-recommends ${missing.join(' ')}`;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    throw new Error(`this machine lacks ${missing.join(', ')}; as root on Debian: ${command}`);
  }
  say(`installing ${missing.join(', ')}`);
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  await run('apt-get', ['update', '-q'], { env });
  await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...missing], { env });
}
