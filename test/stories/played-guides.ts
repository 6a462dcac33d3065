// The commands of the help centre, typed in the order of its articles by somebody with kubectl, curl and an API token. The texts are those
// that the gateway has published: with its own addresses, images and prices.
import { mkdtemp, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { ACCOUNT_ROUTES } from '@gantry/contract/areas/identity/account.ts';
import { KEY_ROUTES } from '@gantry/contract/areas/identity/keys.ts';
import { PORTAL_ROUTES } from '@gantry/contract/areas/portal/portal.ts';
import { binary } from '../../hack/binaries.ts';
import { kubeconfigOf } from '../support/account.ts';
import { runCommand } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import type { GatewayProcess } from '../support/gateway.ts';
import { blocksIn, type GuideBlock } from '../support/guide-blocks.ts';
import type { Person } from '../support/sign-up.ts';
import { SMALL, type Stage } from './stage.ts';

/** The article that needs a store for files; and with it those that need a model. */
export const OF_DATA = 'data-and-fine-tuning';
export const OF_MODELS: readonly string[] = ['deploying-a-model', 'openai-client', OF_DATA];

/** Where an installation has no official image, and nothing outside can be reached. */
const OUTSIDE_IMAGE = 'library/ubuntu:24.04';
const LIMIT_MS = 240_000;

interface Parts {
  readonly stage: Stage;
  readonly gateway: GatewayProcess;
  /** Their organisation has credit. */
  readonly person: Person;
  /** With OpenAI's package; without it blocks of Python are left out. */
  readonly python?: string | undefined;
  /** What readers write in place of an example's names. */
  readonly replaced?: Readonly<Record<string, string>>;
}

/** What the commands printed. Rejects at the first one that fails, with what it said. */
export async function playGuides(slugs: readonly string[], parts: Parts): Promise<string> {
  const { stage, gateway, python, replaced = {} } = parts;
  const folder = await mkdtemp(join(stage.folder, 'guides-'));
  const env = { ...(await surroundings(folder, parts)), REPOSITORY: process.cwd() };
  let said = '';
  for (const slug of slugs) {
    const { content } = await eventually(`${slug} is published`, () =>
      gateway.client.must(PORTAL_ROUTES.readArticle, { params: { slug } }),
    );
    const text = Object.entries({
      ...replaced,
      [OUTSIDE_IMAGE]: SMALL.image ?? '',
      'http://localhost:8080': gateway.url,
    }).reduce((all, [from, to]) => all.replaceAll(from, to), content);
    const blocks = blocksIn(slug, text);
    for (const [at, block] of blocks.entries()) await writeFile(join(folder, fileOf(block, at)), block.text);
    const script = blocks.map((block, at) => lineOf(block, fileOf(block, at), python)).join('\n');
    const { code, stdout, stderr } = await runCommand('bash', ['--norc', '-euxc', script], {
      ...{ env, cwd: folder, limitMs: LIMIT_MS, killAfterMs: 1_000 },
    });
    if (code !== 0) throw new Error(`${slug} fails with ${code}: ${stderr.slice(-3_000)}\n${stdout.slice(-1_000)}`);
    said += stdout;
  }
  return said;
}

async function surroundings(folder: string, { stage, person }: Parts): Promise<Record<string, string>> {
  const { account_id: name, org_id } = await person.client.must(ACCOUNT_ROUTES.getMe);
  const body = {
    remark: 'help centre',
    scopes: ['view', 'use'] as ('view' | 'use')[],
    expiration_time: null,
    limits: null,
  };
  const { token } = await person.client.must(KEY_ROUTES.createApiToken, { body });
  const kubeconfig = join(folder, 'kubeconfig');
  const text = await eventually('the cluster knows the member', () =>
    kubeconfigOf({ namespace: `org-${org_id}`, name }, stage.admin),
  );
  await writeFile(kubeconfig, text, { mode: 0o600 });
  return {
    ...{ KUBECONFIG: kubeconfig, KUBECACHEDIR: join(folder, 'kubectl-cache'), GANTRY_TOKEN: token },
    PATH: `${dirname(await binary('kubectl'))}${delimiter}${process.env.PATH}`,
  };
}

/** A manifest has the name that the commands know it by. */
const fileOf = ({ language, check }: GuideBlock, at: number): string =>
  language === 'yaml' && check !== 'part' ? check : `block-${at}.${language}`;

function lineOf({ language, check, text }: GuideBlock, file: string, python: string | undefined): string {
  if (check !== 'run') return '';
  if (language === 'bash') return text;
  const program = language === 'js' ? `${process.execPath} --input-type=module` : python;
  // Packages are the repository's.
  return program === undefined ? '' : `here="$PWD"; (cd "$REPOSITORY" && ${program} < "$here/${file}")`;
}
