// The materials of an image, as CycloneDX 1.6: npm packages by the lock file, Go modules by what the linker wrote into each binary, Debian
// packages by who owns a file. Without times and random numbers: the same image has the same bill.
import { run, succeeds } from '../run.ts';
import type { LockedPackage } from './locked-packages.ts';

export interface Materials {
  readonly npm?: readonly (LockedPackage & { readonly name: string })[];
  /** Programs that Go built. */
  readonly goBinaries?: readonly string[];
  /** Files of this machine's Debian packages. */
  readonly debianFiles?: readonly string[];
  /** Anything else: its package URL. */
  readonly others?: readonly string[];
}

interface Component {
  readonly type: 'library' | 'application';
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly 'bom-ref': string;
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  readonly licenses?: readonly { readonly expression: string }[];
}

export async function billOfMaterials(
  image: { readonly name: string; readonly version: string },
  { npm = [], goBinaries = [], debianFiles = [], others = [] }: Materials,
): Promise<string> {
  const modules = await Promise.all(goBinaries.map(goModules));
  const components = [
    ...npm.map(npmComponent),
    ...modules.flat(),
    ...(await debianComponents(debianFiles)),
    ...others.map((purl) => component(purl)),
  ];
  const byPurl = new Map(components.map((one) => [one.purl, one]));
  const subject = { type: 'container', name: `gantry/${image.name}`, version: image.version, 'bom-ref': 'image' };
  return `${JSON.stringify(
    {
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      version: 1,
      metadata: { component: subject },
      components: [...byPurl.values()].toSorted((a, b) => (a.purl < b.purl ? -1 : 1)),
      dependencies: [{ ref: 'image', dependsOn: [...byPurl.keys()].toSorted() }],
    },
    undefined,
    1,
  )}\n`;
}

/** Name and version stand in a package URL: `pkg:deb/debian/libc6@2.36`. */
function component(purl: string): Component {
  const [path = '', rest = ''] = splitAt(purl, purl.lastIndexOf('@'));
  const [, , ...name] = decodeURIComponent(path).split(/[:/]/);
  return {
    type: 'library',
    name: name.join('/').replace(/^debian\//, ''),
    version: decodeURIComponent(rest.slice(1).replace(/\?.*$/, '')),
    purl,
    'bom-ref': purl,
  };
}

const splitAt = (text: string, at: number): [string, string] => [text.slice(0, at), text.slice(at)];

function npmComponent({ name, version = '', integrity, license }: LockedPackage & { name: string }): Component {
  const [algorithm, base64 = ''] = integrity?.split('-') ?? [];
  return {
    ...component(`pkg:npm/${name.replace('@', '%40')}@${version}`),
    ...(algorithm === 'sha512' && {
      hashes: [{ alg: 'SHA-512', content: Buffer.from(base64, 'base64').toString('hex') }],
    }),
    ...(license !== undefined && { licenses: [{ expression: license }] }),
  };
}

/** `dep<TAB>path<TAB>version<TAB>hash` for each, and `=>` below one that is replaced. */
async function goModules(binary: string): Promise<Component[]> {
  const listed = await run('go', ['version', '-m', binary]);
  const toolchain = /: go(\S+)/.exec(listed)?.[1];
  const lines = listed.split('\n').map((line) => line.trim().split('\t'));
  const found = lines.flatMap(([kind, path, version], index) => {
    if (kind !== 'dep' || path === undefined) return [];
    const [next, replacement, replacedBy] = lines[index + 1] ?? [];
    const [name, of] = next === '=>' ? [replacement, replacedBy] : [path, version];
    return [component(`pkg:golang/${name}@${of}`)];
  });
  return [...found, ...(toolchain ? [component(`pkg:golang/stdlib@${toolchain}`)] : [])];
}

async function debianComponents(files: readonly string[]): Promise<Component[]> {
  if (files.length === 0 || !(await succeeds('dpkg-query', ['--version']))) return [];
  const names = await ownersOf(files);
  const format = `${['Package', 'Version', 'Architecture'].map((field) => `\${${field}}`).join('\t')}\n`;
  const listed = await run('dpkg-query', ['--show', `--showformat=${format}`, ...new Set(names)]);
  return listed
    .trim()
    .split('\n')
    .map((line) => line.split('\t'))
    .map(([name, version = '', arch]) =>
      component(`pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${arch}`),
    );
}

/**
 * The loader looks below /lib, which is a link to /usr/lib; packages own either spelling. None for a file that was unpacked, for which
 * dpkg-query fails after it has said all that it knows: one call takes less than one for each file.
 */
async function ownersOf(files: readonly string[]): Promise<string[]> {
  const spellings = (file: string) => [file, `/usr${file}`, file.replace(/^\/usr/, '')];
  const search = ['-c', 'dpkg-query --search "$@" 2> /dev/null || true', 'sh', ...files.flatMap(spellings)];
  const lines = (await run('sh', search)).split('\n').map((line) => line.split(': '));
  const owners = new Map(lines.map(([owner = '', path = '']) => [path, owner]));
  return files.flatMap((file) => spellings(file).flatMap((path) => owners.get(path) ?? [])[0] ?? []);
}
