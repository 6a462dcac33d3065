// The materials of an artefact, as an in-toto statement (v1) with SLSA's provenance predicate (v1): its digest, the commit, and the
// packages that the lockfiles name. Without times: the same source gives the same statement. Whoever publishes it signs it
// (sign-statement.ts).
import { createHash } from 'node:crypto';
import { run } from '../run.ts';

export interface Artefact {
  readonly name: string;
  /** `sha256:` and 64 hexadecimal digits. */
  readonly digest: string;
}

export interface Source {
  /** The https address at which it is published. */
  readonly repository: string;
  /** Undefined for a tree that is no commit, because something in it was changed. */
  readonly commit: string | undefined;
}

/** in-toto's ResourceDescriptor, as far as it is needed. */
export interface Material {
  readonly name?: string;
  readonly uri: string;
  readonly digest?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, unknown>>;
}

export interface Build {
  readonly artefacts: readonly Artefact[];
  readonly source: Source;
  /** Parameters of the build, such as `{ image: 'gateway' }`. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly materials: readonly Material[];
  /** The builder, as a URI. The default says that it was a machine of somebody's own, which promises nothing. */
  readonly builder?: string;
}

const STATEMENT = 'https://in-toto.io/Statement/v1';
const PROVENANCE = 'https://slsa.dev/provenance/v1';
/** `make images`: hack/images. */
const BUILD_TYPE = 'https://gantry.dev/build/images/v1';
const ANY_MACHINE = 'https://gantry.dev/build/any-machine';

export type Statement = ReturnType<typeof provenanceOf>;

/** Throws a RangeError for an artefact without a digest. */
export function provenanceOf({ artefacts, source, parameters, materials, builder = ANY_MACHINE }: Build) {
  return {
    _type: STATEMENT,
    subject: artefacts.map(({ name, digest }) => ({ name, digest: { sha256: hexOf(digest) } })),
    predicateType: PROVENANCE,
    predicate: {
      buildDefinition: {
        buildType: BUILD_TYPE,
        externalParameters: { ...parameters, source: source.repository },
        resolvedDependencies: [
          sourceMaterial(source),
          ...materials.toSorted((a, b) => (a.uri < b.uri ? -1 : a.uri > b.uri ? 1 : 0)),
        ],
      },
      runDetails: { builder: { id: builder } },
    },
  };
}

function hexOf(digest: string): string {
  const hex = /^sha256:([0-9a-f]{64})$/.exec(digest)?.[1];
  if (hex === undefined) throw new RangeError(`"${digest}" is no SHA-256 digest`);
  return hex;
}

const sourceMaterial = ({ repository, commit }: Source): Material =>
  commit === undefined
    ? { uri: `git+${repository}`, annotations: { modified: true } }
    : { uri: `git+${repository}@${commit}`, digest: { gitCommit: commit } };

/** The commit that is checked out in `folder`, where nothing differs from it. */
export async function readSource(folder: string, repository: string): Promise<Source> {
  const git = (...args: string[]) => run('git', ['-C', folder, ...args]);
  const changes = await git('status', '--porcelain');
  return { repository, commit: changes.trim() === '' ? (await git('rev-parse', 'HEAD')).trim() : undefined };
}

/** A file as it is, such as a lockfile. */
export const fileMaterial = (path: string, content: string | Buffer): Material => ({
  name: path,
  uri: `file:${path}`,
  digest: { sha256: createHash('sha256').update(content).digest('hex') },
});

interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  readonly link?: boolean;
}

/**
 * The packages of a package-lock.json; `isWanted` gets the folder of each, such as `node_modules/zod`. Throws a RangeError for one
 * without a checksum.
 */
export function npmMaterials(lockfile: string, isWanted: (folder: string) => boolean = () => true): Material[] {
  const { packages } = JSON.parse(lockfile) as { packages: Readonly<Record<string, Locked>> };
  const others = Object.entries(packages).filter(
    ([folder, { link }]) => folder.includes('node_modules/') && !link && isWanted(folder),
  );
  const materials = others.map(([folder, { version = '', integrity = '' }]) => {
    const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const base64 = /^sha512-([\w+/]+=*)$/.exec(integrity)?.[1];
    if (base64 === undefined) throw new RangeError(`package-lock.json has no SHA-512 checksum of ${folder}`);
    const uri = `pkg:npm/${name.replace('@', '%40')}@${version}`;
    return { uri, digest: { sha512: Buffer.from(base64, 'base64').toString('hex') } };
  });
  return [...new Map(materials.map((one) => [one.uri, one])).values()];
}

/** The modules of a go.sum whose content is named there, by Go's directory hash. */
export const goMaterials = (sums: string): Material[] =>
  [...sums.matchAll(/^(\S+) (v[^\s/]+) h1:(\S+)$/gm)].map(([, name = '', version = '', base64 = '']) => ({
    uri: `pkg:golang/${name}@${version}`,
    digest: { dirHash1: Buffer.from(base64, 'base64').toString('hex') },
  }));
