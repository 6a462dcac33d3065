// Every page of the console, from its own table: a new page is covered automatically.
import type { Seeded } from './seed.ts';

interface Row {
  readonly path: string;
  readonly of?: string;
  readonly frame?: 'open' | 'bare';
}

export interface PageToSee {
  readonly name: string;
  readonly path: string;
  readonly isOpen: boolean;
  /** Opened by a button on the page, named in the reader's language. */
  readonly opens?: {
    readonly button: (language: Language) => Promise<RegExp>;
    readonly shows: 'dialog' | 'menu';
  };
}
export type Language = 'en' | 'zh' | 'ja';

const CONSOLE_AREAS = '../../console/src/areas.ts';

/** With seeded values for parameters. Throws for an unknown parameter. */
export async function pagesToSee(seed: Seeded): Promise<PageToSee[]> {
  // By a path that the compiler does not follow: pages are compiled for browsers.
  const { AREAS } = (await import(CONSOLE_AREAS)) as { AREAS: readonly { pages: readonly Row[] }[] };
  const rows = AREAS.flatMap(({ pages }) => pages);
  return rows.flatMap(({ path, of, frame }) =>
    filled(path, seed, of).map((address) => ({
      name: nameOf(path, address, seed),
      path: address,
      isOpen: frame === 'open',
    })),
  );
}

/** Dialogs and menus that no address shows, on pages that have one. */
export const opened = (): PageToSee[] => [
  {
    name: 'opened-invite-people',
    path: '/manage/organization/members',
    isOpen: false,
    opens: { button: (language) => phrase('areas/organization', language, 'members', 'invite'), shows: 'dialog' },
  },
  {
    name: 'opened-organization-switcher',
    path: '/home',
    isOpen: false,
    opens: { button: (language) => phrase('shell', language, 'organization', 'label'), shows: 'menu' },
  },
];

/**
 * The beginning of a button's name: a phrase of the console up to its first placeholder. The path is dynamic, so the compiler
 * does not follow it.
 */
async function phrase(folder: string, language: Language, group: string, name: string): Promise<RegExp> {
  const { words } = (await import(`../../console/src/${folder}/words/${language}.ts`)) as {
    words: Record<string, Record<string, string>>;
  };
  return new RegExp(`^${words[group]?.[name]?.split('%{')[0] ?? name}`);
}

/** The address for each value of its parameters. */
function filled(path: string, seed: Seeded, of?: string): string[] {
  const parameter = /:(\w+)/.exec(path)?.[1];
  if (parameter === undefined) return [path];
  const known = KNOWN.find(([start, name]) => path.startsWith(start) && name === parameter);
  const values = known?.[2](seed) ?? ofOthers(parameter, seed.others[of ?? '']);
  if (!values) throw new Error(`what stands for :${parameter} in ${path}? pages.ts does not know it`);
  return values.flatMap((value) => filled(path.replace(new RegExp(`:${parameter}[?]?`), value), seed, of));
}

/** The page of a kind that is not known here has at least these tabs. */
const ofOthers = (parameter: string, id: string | undefined): readonly string[] | undefined =>
  id === undefined ? undefined : { id: [id], tab: ['overview', 'history'] }[parameter];

/** Without ids, so that two runs' pictures lie beside each other. */
function nameOf(path: string, address: string, seed: Seeded): string {
  const ids: readonly string[] = [
    seed.running,
    seed.stopped,
    seed.disk,
    seed.host,
    seed.image,
    seed.job,
    seed.service,
    seed.model,
    seed.dataset,
    seed.deployment,
    seed.policy,
    seed.alarm,
    seed.dashboard,
    ...Object.values(seed.others),
  ];
  const parts = path.split('/').map((part, at) => {
    const value = address.split('/')[at] ?? '';
    return ids.includes(value) ? part.slice(1) : value;
  });
  return parts.filter((part) => part !== '').join('-') || 'root';
}

/** Several values are several pages; none if there is nothing to show yet. */
const KNOWN: readonly (readonly [start: string, parameter: string, values: (seed: Seeded) => readonly string[]])[] = [
  ['/develop/instance/console', 'id', ({ running }) => [running]],
  ['/develop/instance', 'id', ({ stopped }) => [stopped]],
  ['/develop/instance', 'tab', () => ['overview', 'metrics', 'access', 'history', 'settings']],
  ['/develop/template', 'id', ({ image }) => [image]],
  ['/develop/template', 'tab', () => ['overview', 'history']],
  // A shell in an instance looks the same.
  ['/deploy/job/console', 'id', () => []],
  ['/deploy/service/console', 'id', () => []],
  ['/deploy/job', 'id', ({ job }) => [job]],
  ['/deploy/job', 'tab', () => ['overview', 'runs', 'logs', 'history', 'settings']],
  ['/deploy/service', 'id', ({ service }) => [service]],
  [
    '/deploy/service',
    'tab',
    () => ['overview', 'requests', 'replicas', 'revisions', 'logs', 'metrics', 'history', 'settings'],
  ],
  ['/model/space', 'id', ({ model }) => [model]],
  ['/model/space', 'tab', () => ['overview', 'lineage']],
  ['/data/space', 'id', ({ dataset }) => [dataset]],
  [
    '/data/space',
    'tab',
    () => ['overview', 'rows', 'statistics', 'search', 'query', 'rejected', 'files', 'versions', 'lineage'],
  ],
  ['/data/processing', 'id', ({ others }) => [others.dataprocesses ?? '']],
  ['/data/processing', 'tab', () => ['overview', 'units', 'runs', 'logs', 'metrics', 'lineage', 'history', 'settings']],
  ['/model/finetune', 'id', ({ others }) => [others.finetunes ?? '']],
  [
    '/model/finetune',
    'tab',
    () => ['overview', 'checkpoints', 'runs', 'logs', 'metrics', 'lineage', 'history', 'settings'],
  ],
  ['/model/evaluation', 'id', ({ others }) => [others.evaluations ?? '']],
  [
    '/model/evaluation',
    'tab',
    () => ['overview', 'examples', 'runs', 'logs', 'metrics', 'lineage', 'history', 'settings'],
  ],
  ['/model/deployment', 'id', ({ deployment }) => [deployment]],
  [
    '/model/deployment',
    'tab',
    () => ['overview', 'requests', 'replicas', 'revisions', 'logs', 'metrics', 'collected', 'lineage', 'history'],
  ],
  ['/monitor/dashboard', 'id', ({ dashboard }) => [dashboard]],
  ['/monitor/policy', 'id', ({ policy }) => [policy]],
  ['/monitor/policy', 'tab', () => ['overview', 'history']],
  ['/monitor/alarm', 'id', ({ alarm }) => [alarm]],
  ['/gpu/storage', 'id', ({ disk }) => [disk]],
  ['/gpu/storage', 'region', ({ region }) => [region]],
  ['/gpu/storage', 'tab', () => ['overview', 'files', 'history']],
  ['/gpu/nodes', 'id', ({ host }) => [host]],
  ['/gpu/nodes', 'tab', () => ['overview', 'metrics', 'history']],
  ['/manage/account', 'tab', () => ['security', 'real-name', 'keys', 'tokens', 'kubeconfig']],
  ['/manage/organization', 'tab', () => ['members', 'invitations', 'spending', 'idle', 'roles']],
  // An invoice is made when a month has ended.
  ['/manage/billing/invoices', 'id', () => []],
];
