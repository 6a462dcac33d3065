// A Debian machine of any version: its own kernel with cgroup v2, and systemd, in QEMU. Its packages come from where this machine has
// Debian; it has the working tree, what is built already, and no way out. Commands go in over SSH, as a person's do.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { access, constants, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { binary, binaryDirs, cacheDir } from '../../hack/binaries.ts';
import { debianMirror } from '../../hack/debian-mirror.ts';
import { installMachinePackages, PACKAGES } from '../../hack/debian-packages.ts';
import { buildAgent } from '../../hack/images/build.ts';
import { neededBy } from '../../hack/images/locked-packages.ts';
import { run } from '../../hack/run.ts';
import { say } from '../../hack/say.ts';
import { builtAdmin, builtConsole, builtPortal } from '../../hack/web-apps.ts';
import { SshClient } from '../stories/ssh-client.ts';
import { type Child, startChild } from '../support/child.ts';
import { type Ended, runCommand } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { freePorts } from '../support/free-ports.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));

export const SUITES = { 12: 'bookworm', 13: 'trixie' } as const;
export type Version = keyof typeof SUITES;

const CPUS = 2;
const MEMORY_MI = 6_144;
/** Sparse: what is not written takes no room. */
const ROOT_SIZE = '8G';
const HOME_SIZE = '16G';
/** By emulation, on a machine with others on it. */
const BOOT_MS = 600_000;

export interface DebianMachine {
  /** As root, in the working tree. However it ends. */
  run(command: string, limitMs: number): Promise<Ended>;
  /** Standard output; throws with what the command complained of. */
  must(command: string, limitMs?: number): Promise<string>;
  end(): Promise<void>;
}

/** `hasCluster`: it can `make up`, for which it has everything that this machine has built. */
export async function startDebian(version: Version, { hasCluster }: { hasCluster: boolean }): Promise<DebianMachine> {
  await installMachinePackages();
  const system = await systemOf(version);
  const folder = `${repository}.run/debian-${version}`;
  // A run that was killed left it.
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const machine: { child?: Child } = {};
  const end = async () => {
    await machine.child?.end();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const [port = 0] = await freePorts(1);
    const person = await SshClient.make(join(folder, 'ssh'), `127.0.0.1:${port}`);
    const disk = join(folder, 'home.ext4');
    await makeHome(disk, join(folder, 'home'), person.publicKey, hasCluster);
    const child = startChild(
      'qemu-system-x86_64',
      await qemuFlags(system, disk, port, join(folder, 'console')),
      join(folder, 'qemu'),
    );
    machine.child = child;
    const inside = (command: string, limitMs: number) => {
      const [file, args] = person.command('ssh', ['-l', 'root', 'door', `cd gantry && ${command}`]);
      return runCommand(file, args, { limitMs });
    };
    const must = async (command: string, limitMs = BOOT_MS) => {
      const { code, stdout, stderr } = await inside(command, limitMs);
      if (code !== 0) throw new Error(`Debian ${version}: ${command}: ended with ${code}\n${stderr}\n${stdout}`);
      return stdout;
    };
    await eventually(`Debian ${version} to take a login`, () => isUp(child, () => must('true')), BOOT_MS);
    return { run: inside, must, end };
  } catch (error) {
    await end();
    throw error;
  }
}

async function isUp(child: Child, login: () => Promise<unknown>): Promise<true> {
  if (child.hasEnded()) throw new Error(`QEMU ended: ${await child.lastWords()}`);
  await login();
  return true;
}

interface System {
  readonly root: string;
  readonly kernel: string;
  readonly initrd: string;
}

/** Units of no interest here, which take time from those that are. */
const NOT_STARTED = [
  ...[
    'apt-daily.timer',
    'apt-daily-upgrade.timer',
    'dpkg-db-backup.timer',
    'e2scrub_all.timer',
    'e2scrub_reap.service',
  ],
  ...['fstrim.timer', 'man-db.timer', 'systemd-timesyncd.service', 'getty@tty1.service', 'serial-getty@ttyS0.service'],
  // `make up` installs these packages without their services.
  ...['containerd.service', 'prometheus.service', 'prometheus-node-exporter.service'],
];

/** Compiling by emulation takes an hour: what `go build -o FILE ./cmd/NAME` makes was built beforehand. */
const GO = `#!/bin/sh
while [ $# -gt 0 ]; do
  case $1 in
    -o) out=$2; shift ;;
    ./cmd/*) name=\${1#./cmd/} ;;
  esac
  shift
done
mkdir -p "$(dirname "$out")" && cp "/root/built/$name" "$out.$$" && mv "$out.$$" "$out"
`;

const SYSTEM_PACKAGES = [
  ...[
    'systemd',
    'systemd-sysv',
    'libpam-systemd',
    'dbus',
    'udev',
    'kmod',
    'linux-image-cloud-amd64',
    'initramfs-tools',
  ],
  ...['openssh-server', 'ca-certificates', 'make', 'procps', 'login', 'passwd'],
];

/** By its path. */
const SYSTEM_FILES: Readonly<Record<string, string>> = {
  'etc/fstab': 'LABEL=home /root ext4 defaults 0 0\n',
  // Fixed, so that no boot waits for an answer; only eth0, because the cluster makes devices of its own.
  'etc/systemd/network/eth0.network': '[Match]\nName=eth0\n[Network]\nAddress=10.0.2.15/24\nGateway=10.0.2.2\n',
  'usr/local/bin/go': GO,
};

/** Made once for a version and what it consists of; nothing that runs changes it. */
async function systemOf(version: Version): Promise<System> {
  const packages = [...new Set([...SYSTEM_PACKAGES, ...Object.keys(PACKAGES)])];
  const recipe = JSON.stringify([SUITES[version], packages, SYSTEM_FILES, NOT_STARTED, ROOT_SIZE]);
  const key = createHash('sha256').update(recipe).digest('hex').slice(0, 12);
  const folder = `${cacheDir}/machines/debian-${version}-${key}`;
  if (!existsSync(folder)) await makeSystem(version, packages, folder);
  return { root: `${folder}/root.ext4`, kernel: `${folder}/vmlinuz`, initrd: `${folder}/initrd.img` };
}

async function makeSystem(version: Version, packages: readonly string[], folder: string): Promise<void> {
  const suite = SUITES[version];
  say(`making a machine with Debian ${version}`);
  await mkdir(dirname(folder), { recursive: true });
  const making = await mkdtemp(`${folder}.`);
  const root = `${making}/root`;
  try {
    const source = `deb ${await debianMirror()} ${suite} main`;
    await run('mmdebstrap', ['--variant=minbase', `--include=${packages.join(',')}`, suite, root, source]);
    for (const [path, content] of Object.entries(SYSTEM_FILES)) {
      await mkdir(dirname(`${root}/${path}`), { recursive: true });
      await writeFile(`${root}/${path}`, content, { mode: path.includes('/bin/') ? 0o755 : 0o644 });
    }
    const units = `${root}/etc/systemd/system`;
    for (const unit of NOT_STARTED) {
      await rm(`${units}/${unit}`, { force: true });
      await symlink('/dev/null', `${units}/${unit}`);
    }
    const wanted = `${units}/multi-user.target.wants`;
    await mkdir(wanted, { recursive: true });
    await symlink('/usr/lib/systemd/system/systemd-networkd.service', `${wanted}/systemd-networkd.service`);
    for (const name of ['vmlinuz', 'initrd.img']) {
      const file = (await readdir(`${root}/boot`)).find((found) => found.startsWith(`${name}-`));
      await rename(`${root}/boot/${file}`, `${making}/${name}`);
    }
    await makeDisk(`${making}/root.ext4`, root, ROOT_SIZE, 'root');
    await rm(root, { recursive: true });
    await rename(making, folder);
  } finally {
    await rm(making, { recursive: true, force: true });
  }
}

const makeDisk = (disk: string, from: string, size: string, label: string) =>
  run('mke2fs', ['-q', '-t', 'ext4', '-L', label, '-d', from, disk, size]);

/** Root's home: the working tree, Node, and for a cluster what it runs on. */
async function makeHome(disk: string, home: string, publicKey: string, hasCluster: boolean): Promise<void> {
  const tree = `${home}/gantry`;
  await mkdir(`${home}/.ssh`, { recursive: true, mode: 0o700 });
  await writeFile(`${home}/.ssh/authorized_keys`, `${publicKey}\n`, { mode: 0o600 });
  await mkdir(tree);
  const listed = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: repository,
  });
  const files = listed.split('\0').filter((file) => file !== '' && existsSync(`${repository}${file}`));
  await copy(repository, [...files, 'node_modules/node', 'node_modules/.bin/node'], tree);
  if (hasCluster) await addCluster(home, tree);
  await makeDisk(disk, home, HOME_SIZE, 'home');
  await rm(home, { recursive: true });
}

/** The packages that the working tree runs on, and everything that `make up` would build. */
async function addCluster(home: string, tree: string): Promise<void> {
  const lock = JSON.parse(await readFile(`${repository}package-lock.json`, 'utf8'));
  const packages = neededBy(['api', 'operator', 'contract', 'kube', ...NEEDED_BY_HACK], lock.packages).filter(
    (path) => /^(\w+\/)?node_modules\/(@[^/]+\/)?[^/]+$/.test(path) && existsSync(`${repository}${path}`),
  );
  const apps = (await Promise.all([builtConsole(), builtAdmin(), builtPortal()])).map((path) =>
    path.slice(repository.length),
  );
  await copy(repository, [...apps, ...packages, 'node_modules/@gantry'], tree);
  // Newer than package-lock.json: `make` installs nothing.
  await writeFile(`${tree}/node_modules/.package-lock.json`, '{}');

  const making = { dir: `${home}/agent` };
  for (const name of ['agent', 'node-agent', 'pause'] as const) await buildAgent(making, name);
  await rename(`${making.dir}/images`, `${home}/built`);
  await binary('kubectl');
  await mkdir(`${home}/.cache/gantry`, { recursive: true });
  const built = [...binaryDirs(), `${cacheDir}/images`].filter((path) => path.startsWith(cacheDir) && existsSync(path));
  const names = built.map((path) => path.slice(cacheDir.length + 1));
  await copy(`${cacheDir}/`, names, `${home}/.cache/gantry`);
}

/** Packages of the root's own that `hack` imports. */
const NEEDED_BY_HACK = ['prom-client', 'smtp-server', 'yaml'].map((name) => `node_modules/${name}`);

/** Files and folders with their paths below `from`. */
async function copy(from: string, paths: readonly string[], to: string): Promise<void> {
  await run('rsync', ['-a', '-r', '--from0', '--files-from=-', from, to], { input: paths.join('\0') });
}

async function qemuFlags({ root, kernel, initrd }: System, disk: string, port: number, log: string): Promise<string[]> {
  const accelerator = (await hasVirtualization())
    ? ['-accel', 'kvm', '-cpu', 'host']
    : ['-accel', 'tcg,thread=single,tb-size=1024', '-cpu', 'max,la57=off'];
  return [
    ...accelerator,
    ...['-machine', 'q35', '-smp', `${CPUS}`, '-m', `${MEMORY_MI}`, '-nodefaults', '-display', 'none', '-no-reboot'],
    ...['-serial', `file:${log}`, '-device', 'virtio-rng-pci'],
    ...['-kernel', kernel, '-initrd', initrd, '-append', 'root=/dev/vda rw console=ttyS0 net.ifnames=0 panic=-1'],
    ...['-drive', `file=${root},if=virtio,format=raw,snapshot=on`],
    ...['-drive', `file=${disk},if=virtio,format=raw,cache=unsafe`],
    ...['-netdev', `user,id=net,restrict=on,hostfwd=tcp:127.0.0.1:${port}-:22`],
    ...['-device', 'virtio-net-pci,netdev=net,romfile='],
  ];
}

/** A nested machine may have /dev/kvm for kernels made for it alone: then the processor names no such ability. */
export async function hasVirtualization(): Promise<boolean> {
  const cpu = await readFile('/proc/cpuinfo', 'utf8');
  const mayUse = await access('/dev/kvm', constants.R_OK | constants.W_OK).then(
    () => true,
    () => false,
  );
  return mayUse && /^flags\s*:.*\b(vmx|svm)\b/m.test(cpu);
}
