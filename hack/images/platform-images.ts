// The images of the platform's own Pods, as the chart names them, each with its bill of materials inside.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { binary } from '../binaries.ts';
import { builtAdmin, builtConsole, builtPortal } from '../web-apps.ts';
import { billOfMaterials, type Materials } from './bill-of-materials.ts';
import { buildAgent } from './build.ts';
import { DATA_WORKER } from './data-worker.ts';
import type { ImageSpec } from './image-archive.ts';
import { nodeApp, USER_OF_APPS } from './node-app.ts';
import { layerOf, type OciImage } from './oci-layout.ts';
import { agentImageSpec, busyboxImage, sshDoorImage } from './official-images.ts';
import { pythonImage } from './python-image.ts';
import type { TarEntry } from './tar.ts';
import { TRAINER } from './trainer.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));
export const SOURCE = 'https://github.com/gantry-dev/gantry';
const BILL = 'usr/share/gantry/sbom.cdx.json';

interface Parts extends Omit<OciImage, 'labels'> {
  readonly materials: Materials;
}

export type PlatformImage =
  | 'gateway'
  | 'operator'
  | 'agent'
  | 'node-agent'
  | 'ssh-door'
  | 'registry'
  | 'data-worker'
  | 'trainer'
  | 'busybox';

interface Facts {
  readonly words: string;
  /** Absent: the product's version. */
  readonly tag?: string;
  /** It takes minutes to make: a cluster of this machine gets it once it is up. */
  readonly isLarge?: true;
  /** `dir` is where Go's binaries are built. */
  readonly parts: (dir: string) => Promise<Parts>;
}

const IMAGES: Record<PlatformImage, Facts> = {
  gateway: {
    words: 'The gateway: API, portal, console, admin console',
    async parts() {
      const [console, admin, portal] = await Promise.all([builtConsole(), builtAdmin(), builtPortal()]);
      const app = await nodeApp(repository, 'api', { program: 'gantry', folders: { console, admin, portal } });
      return {
        layers: app.layers,
        entrypoint: ['/usr/bin/gantry'],
        env: {
          GANTRY_CONSOLE_DIR: '/app/console',
          GANTRY_ADMIN_DIR: '/app/admin',
          GANTRY_PORTAL_DIR: '/app/portal',
          NODE_ENV: 'production',
        },
        user: USER_OF_APPS,
        materials: await ofNode(app),
      };
    },
  },
  operator: {
    words: 'The operator: reconciles every kind of gantry.dev',
    async parts() {
      const app = await nodeApp(repository, 'operator', {
        program: 'gantry-operator',
        folders: { crds: `${repository}crds` },
      });
      return {
        layers: app.layers,
        entrypoint: ['/usr/bin/gantry-operator'],
        env: { NODE_ENV: 'production' },
        user: USER_OF_APPS,
        materials: await ofNode(app),
      };
    },
  },
  agent: {
    words: 'What every instance carries: process 1, SSH, files',
    async parts(dir) {
      const agent = await buildAgent({ dir }, 'agent');
      return { ...one(await agentImageSpec(agent)), user: '65532:65532', materials: { goBinaries: [agent] } };
    },
  },
  'node-agent': {
    words: 'On every node: saves, disks, wiping',
    async parts(dir) {
      const [nodeAgent, agent] = await Promise.all([buildAgent({ dir }, 'node-agent'), buildAgent({ dir }, 'agent')]);
      const files = [await program('node-agent', nodeAgent), await program('agent', agent)];
      return { ...one({ files, entrypoint: ['/node-agent'] }), materials: { goBinaries: [nodeAgent, agent] } };
    },
  },
  'ssh-door': {
    words: 'The SSH door to instances',
    async parts(dir) {
      const nodeAgent = await buildAgent({ dir }, 'node-agent');
      return { ...one(await sshDoorImage(nodeAgent)), user: '65532:65532', materials: { goBinaries: [nodeAgent] } };
    },
  },
  registry: {
    words: "The registry of tenants' images, and who may use it",
    async parts(dir) {
      const [nodeAgent, registry] = await Promise.all([buildAgent({ dir }, 'node-agent'), binary('registry')]);
      const files = [await program('node-agent', nodeAgent), await program('registry', registry)];
      return {
        ...one({ files, entrypoint: ['/registry'], env: { OTEL_TRACES_EXPORTER: 'none' } }),
        user: '65532:65532',
        materials: { goBinaries: [nodeAgent, registry] },
      };
    },
  },
  'data-worker': {
    words: "Reads, queries and searches an organisation's datasets",
    async parts() {
      const { purls, ...image } = await pythonImage(DATA_WORKER);
      return { ...image, materials: { others: purls } };
    },
  },
  trainer: {
    words: 'Trains models on datasets',
    isLarge: true,
    async parts() {
      const { purls, ...image } = await pythonImage(TRAINER);
      return { ...image, materials: { others: purls } };
    },
  },
  busybox: {
    words: 'A shell to try things with; tries out isolation',
    tag: '1.36',
    async parts() {
      return { ...one(await busyboxImage()), materials: { debianFiles: ['/bin/busybox'] } };
    },
  },
};

export const PLATFORM_IMAGES = Object.keys(IMAGES) as PlatformImage[];

/** Those that a cluster of this machine does not start without. */
export const FIRST_IMAGES = PLATFORM_IMAGES.filter((name) => !IMAGES[name].isLarge);

/** Its own version where it has one, the product's otherwise. */
export async function tagOf(name: PlatformImage): Promise<string> {
  return IMAGES[name].tag ?? (await productVersion());
}

async function productVersion(): Promise<string> {
  return JSON.parse(await readFile(`${repository}package.json`, 'utf8')).version;
}

export interface BuiltImage {
  readonly image: OciImage;
  readonly bill: string;
}

/** `revision` names a commit: another one is another image, even where nothing in it changed. */
export async function buildPlatformImage(name: PlatformImage, dir: string, revision?: string): Promise<BuiltImage> {
  const { materials, layers, ...settings } = await IMAGES[name].parts(dir);
  const version = await tagOf(name);
  const bill = await billOfMaterials({ name, version }, materials);
  return {
    image: {
      ...settings,
      layers: [...layers, layerOf(withBill(bill))],
      labels: {
        'org.opencontainers.image.title': `gantry/${name}`,
        'org.opencontainers.image.description': IMAGES[name].words,
        'org.opencontainers.image.version': version,
        'org.opencontainers.image.source': SOURCE,
        'org.opencontainers.image.licenses': 'Apache-2.0',
        ...(revision !== undefined && { 'org.opencontainers.image.revision': revision }),
      },
    },
    bill,
  };
}

const withBill = (bill: string): TarEntry[] => [
  ...['usr', 'usr/share', 'usr/share/gantry'].map((path) => ({ path, directory: true }) as const),
  { path: BILL, content: bill },
];

const one = ({ files, ...rest }: ImageSpec) => ({ layers: [layerOf(files)], ...rest });

async function program(path: string, file: string): Promise<TarEntry> {
  return { path, content: await readFile(file), mode: 0o755 };
}

async function ofNode({ packages, fromDebian }: Awaited<ReturnType<typeof nodeApp>>): Promise<Materials> {
  const { version } = JSON.parse(await readFile(`${repository}node_modules/node/package.json`, 'utf8'));
  return { npm: packages, debianFiles: fromDebian, others: [`pkg:generic/node@${version}`] };
}
