// Jobs, services and models by hand in one browser: made on one page, run in real containers, read, changed, taken back, asleep and
// awake; a model that is talked to; and a dataset from its upload to the library.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DATASET_ROUTES } from '@gantry/contract/areas/datasets/datasets.ts';
import { DATASET_TABLE_ROUTES } from '@gantry/contract/areas/datasets/tables.ts';
import { PEOPLE_COMMANDS } from '@gantry/contract/areas/identity/admin-people.ts';
import { KEY_ROUTES } from '@gantry/contract/areas/identity/keys.ts';
import { TRACKING_ROUTES } from '@gantry/contract/areas/tracking/tracking.ts';
import { tokenSku } from '@gantry/contract/billing/token-prices.ts';
import { beforeAll, expect } from '@jest/globals';
import type { Page } from 'playwright';
import { writeExampleModel } from '../../hack/example-model.ts';
import { runCommand } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { setPrice } from '../support/list-price.ts';
import type { Person } from '../support/sign-up.ts';
import { axeComplaints } from './axe.ts';
import { DESK, PHONE, type Visitor } from './visitor.ts';
import { setWebStage, type WebStage } from './web-stage.ts';

const { story, web } = setWebStage();
const IMAGE = 'registry.gantry.internal/official/busybox:1.36';
const PROGRAM =
  'sh -c \'mkdir -p /tmp/www; echo hello from $(hostname) > /tmp/www/index.html; touch /tmp/www/favicon.ico; httpd -f -p 8080 -h /tmp/www & trap "exit 0" TERM; wait\'';
/** As MLflow's own client does, with what there is in the image: each worker logs its rank, of which the first is heard. */
const LOGS = [
  'api() { wget -qO- --header "Content-Type: application/json" --post-data "$2" "$MLFLOW_TRACKING_URI/api/2.0/mlflow/runs/$1"; }',
  String.raw`run="\"run_id\": \"$(api create "{}" | grep -o "[0-9a-f]\{32\}" | head -n 1)\""`,
  String.raw`api log-batch "{$run, \"params\": [{\"key\": \"rank\", \"value\": \"$RANK\"}], \"metrics\": [{\"key\": \"loss\", \"value\": 2.5, \"step\": 1}]}"`,
  String.raw`api log-metric "{$run, \"key\": \"loss\", \"value\": $RANK.5, \"step\": 2}"`,
  'echo rank $RANK of $WORLD_SIZE',
].join(' && ');
let person: Person;
let organizationId: string;

beforeAll(async () => {
  const { person: ann, org } = await web().tenant('deploy_ann');
  await web().verify(ann);
  person = ann;
  organizationId = org.id;
});

async function comesTo(stage: WebStage, path: string): Promise<Visitor> {
  const visitor = await stage.visitor();
  await visitor.isSignedInAs(person, organizationId);
  await visitor.goes(path);
  return visitor;
}

/** The program and its size: small, so that several fit on two cores. */
async function fillsIn(page: Page, name: string, command: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Name', exact: true }).first().fill(name);
  await page.getByRole('combobox', { name: 'Image' }).fill(IMAGE);
  await page.getByRole('textbox', { name: 'Command' }).fill(command);
  await page.getByRole('spinbutton', { name: 'CPU' }).fill('0.1');
  await page.getByRole('spinbutton', { name: 'Memory' }).fill('0.0625');
}

/** By the hour, once it is that of the given cores. */
async function priceOf(page: Page, cores: string): Promise<number> {
  const price = page.getByRole('region', { name: 'Price' });
  await price.getByText(cores, { exact: true }).waitFor({ state: 'attached' });
  return Number(/\$([0-9.]+) \/ hour/.exec(await price.innerText())?.[1]);
}

/** Presses a button that asks first, and its namesake in the dialog. */
async function confirms(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

/** Fills in the form of an edit, and is back on the object's page. */
async function saves(page: Page, list: string, change: () => Promise<void>): Promise<void> {
  await page.waitForURL('**/edit');
  await change();
  await page.getByRole('button', { name: 'Save' }).click();
  await isMade(page, list);
}

/** Saves as it is, which changes nothing, and then under another name. */
async function renames(visitor: Visitor, list: string, name: string): Promise<void> {
  const { page } = visitor;
  await saves(page, list, async () => {
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Nothing has changed yet.').waitFor();
    expect(await axeComplaints(visitor)).toEqual([]);
    await page.getByRole('textbox', { name: 'Name', exact: true }).first().fill(name);
  });
  await page.getByText('Saved.').waitFor();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
}

/** A part of a form that is one line until then. */
const opens = (page: Page, title: string) =>
  page.getByRole('region', { name: title }).locator('summary').first().click();
const tab = (page: Page, name: string) => page.getByRole('tab', { name }).click();
const isMade = (page: Page, list: string) => page.waitForURL(new RegExp(`${list}/(?!create)[^/?]+$`));
const state = (page: Page, label: string) =>
  page.locator('main [aria-live]').getByText(label, { exact: true }).first().waitFor();

story(
  'a job shows its price and room before it is made, runs, logs with MLflow, is read, run again and cloned',
  async (stage) => {
    const visitor = await comesTo(stage, '/deploy/job/create');
    const { page } = visitor;
    await fillsIn(page, 'greetings', `sh -c '${LOGS}'`);
    const ofOne = await priceOf(page, '0.1 cores');
    await opens(page, 'Workers');
    await page.getByRole('spinbutton', { name: 'Workers' }).fill('2');
    expect((await priceOf(page, '0.2 cores')) / ofOne).toBeCloseTo(2);
    await opens(page, 'Logging with MLflow');
    await page.getByRole('checkbox', { name: 'Keep what the program logs with MLflow' }).check();
    await page.getByRole('region', { name: 'Will it fit?' }).getByText('There is room for it now.').waitFor();
    expect(await axeComplaints(visitor)).toEqual([]);
    await page.getByRole('button', { name: 'Create job' }).click();
    await isMade(page, '/deploy/job');

    await state(page, 'Succeeded');
    const workers = (run: number) => page.getByRole('table', { name: `Workers of run ${run}` });
    await workers(1).getByText('Succeeded').nth(1).waitFor();
    await page.getByRole('heading', { name: 'Timeline' }).waitFor();
    const logged = page.getByRole('table', { name: 'Logged by the program' });
    await logged.getByText('0.5 at step 2').waitFor();
    await page.getByRole('region', { name: 'Training curves' }).waitFor();
    const id = page.url().split('/').at(-1) ?? '';
    expect(await person.client.must(TRACKING_ROUTES.getJobCurve, { params: { id }, query: {} })).toMatchObject({
      points: [
        { step: 1, loss: 2.5 },
        { step: 2, loss: 0.5 },
      ],
      runs: [{ run: 1 }],
      logged: { params: [{ name: 'rank', value: '0' }], metrics: [{ name: 'loss', value: 0.5, step: 2 }] },
    });
    expect(await axeComplaints(visitor)).toEqual([]);
    await page.getByRole('link', { name: 'Log of worker 0' }).click();
    await page.getByText('rank 0 of 2').waitFor();
    await page.getByRole('combobox', { name: 'Worker' }).selectOption('1');
    await page.getByText('rank 1 of 2').waitFor();

    await tab(page, 'Overview');
    await confirms(page, 'Run again');
    await workers(2).getByText('Succeeded').nth(1).waitFor();
    await tab(page, 'Runs');
    const runs = page.getByRole('table', { name: 'Runs', exact: true });
    for (const cause of ['First run', 'Run again']) await runs.getByText(cause).waitFor();

    await page.getByRole('button', { name: 'More actions for greetings' }).click();
    await page.getByRole('menuitem', { name: 'Clone' }).click();
    await page.waitForURL(/create\?from=/);
    const name = page.getByRole('textbox', { name: 'Name', exact: true }).first();
    await eventually('the form has the values of the other', async () => (await name.inputValue()) === 'greetings');
    await opens(page, 'Workers');
    expect(await page.getByRole('spinbutton', { name: 'Workers' }).inputValue()).toBe('2');
    await page.getByRole('spinbutton', { name: 'Workers' }).fill('1');
    await page.getByRole('textbox', { name: 'Command' }).fill("sh -c 'echo I am a clone; exit 3'");
    await page.getByRole('button', { name: 'Create job' }).click();
    await isMade(page, '/deploy/job');
    await state(page, 'Failed');
    await page.getByRole('alert').getByText('I am a clone').waitFor();
  },
);

story(
  'a schedule shows its meaning and its next five runs before it is saved, begins runs, and is edited',
  async (stage) => {
    const visitor = await comesTo(stage, '/deploy/job/create');
    const { page } = visitor;
    await fillsIn(page, 'nightly', "sh -c 'echo by night'");
    await opens(page, 'When it runs');
    await page.getByRole('radio', { name: /^On a schedule/ }).check();
    await page.getByRole('button', { name: 'Nightly' }).click();
    const when = page.getByRole('region', { name: 'When it runs' });
    await when.getByText('Every day at 03:00 (UTC)').waitFor();
    await when.getByRole('listitem').nth(4).waitFor();
    expect(await when.getByRole('listitem').count()).toBe(5);
    expect(await axeComplaints(visitor)).toEqual([]);
    await page.getByRole('button', { name: 'Create job' }).click();
    await isMade(page, '/deploy/job');
    await state(page, 'Scheduled');
    await page.getByText('Next run', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Run again' }).click();
    await tab(page, 'Runs');
    await page.getByRole('table', { name: 'Runs' }).getByText('Succeeded', { exact: true }).waitFor();
    expect(await axeComplaints(visitor)).toEqual([]);

    // The first is the schedule's; its run in the table has the same name.
    await page.getByRole('button', { name: 'More actions for nightly' }).first().click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await renames(visitor, '/deploy/job', 'every-night');
  },
);

story('a service answers members, is updated badly and rolled back, sleeps and is woken', async (stage) => {
  const visitor = await comesTo(stage, '/deploy/service/create');
  const { page, context } = visitor;
  await fillsIn(page, 'hello', PROGRAM);
  expect(await priceOf(page, '0.1 cores')).toBeGreaterThan(0);
  expect(await axeComplaints(visitor)).toEqual([]);
  await page.getByRole('button', { name: 'Create service' }).click();
  await isMade(page, '/deploy/service');
  await state(page, 'Running');
  /** In a tab of its own, which the link of a member opens. */
  const answers = async () => {
    const [answer] = await Promise.all([
      context.waitForEvent('page'),
      page.getByRole('link', { name: /\.tenants\.localhost/ }).click(),
    ]);
    await answer.getByText('hello from ').waitFor();
    await answer.close();
  };
  await answers();
  expect(await axeComplaints(visitor)).toEqual([]);

  const edit = async (change: () => Promise<void>) => {
    await page.getByRole('button', { name: 'Edit' }).click();
    await saves(page, '/deploy/service', change);
  };
  await edit(() => page.getByRole('combobox', { name: 'Image' }).fill('registry.gantry.internal/official/none:1'));
  await page
    .getByText(/cannot be pulled/)
    .first()
    .waitFor();
  await tab(page, 'Revisions');
  await page.getByRole('button', { name: 'Roll back to revision 1?' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Roll back', exact: true }).click();
  const revisions = page.getByRole('table', { name: 'Revisions' });
  await revisions.getByText('Never completed').waitFor();
  await revisions.getByText('Completed (current)').waitFor();
  expect(await axeComplaints(visitor)).toEqual([]);

  await tab(page, 'Requests');
  // A tab that closes early gives up its icon: the browser's doing, and no answer.
  await page.getByText(/^[1-9]\d*: [1-9]\d* answered, \d+ with 4xx, 0 with 5xx$/).waitFor();
  await page.getByText(/^[0-9.]+ ms \/ [0-9.]+ ms \/ [0-9.]+ ms$/).waitFor();
  expect(await axeComplaints(visitor)).toEqual([]);

  await edit(async () => {
    await opens(page, 'Replicas');
    await page.getByRole('radio', { name: /^Automatic/ }).check();
    await page.getByRole('spinbutton', { name: 'Minimum' }).first().fill('0');
    await page.getByRole('spinbutton', { name: 'Sleeps after' }).fill('30');
  });
  await state(page, 'Asleep');
  await page.getByText('Asleep since', { exact: true }).waitFor();
  await tab(page, 'Replicas');
  await page.getByText('There are no replicas now.').waitFor();
  await tab(page, 'Overview');
  await answers();
  await state(page, 'Running');
  await tab(page, 'Replicas');
  await page.getByRole('table', { name: 'Replicas' }).getByText('Ready', { exact: true }).waitFor();
  expect(await axeComplaints(visitor)).toEqual([]);
});

story(
  'a model is deployed with its fit in sight, renamed, talked to, and its tokens and a second name are seen',
  async (stage) => {
    await setPrice((await stage.staff()).client, tokenSku('completion', 'any'), '500');
    const visitor = await comesTo(stage, '/model/space');
    const { page } = visitor;
    const exampleModelDir = await mkdtemp(join(tmpdir(), 'gantry-model-'));
    await writeExampleModel({ exampleModelDir });
    await page.getByRole('button', { name: 'Add a model' }).first().click();
    const adding = page.getByRole('dialog');
    await adding.getByRole('textbox', { name: 'Name' }).fill('Tiny');
    await adding.getByLabel('Choose a folder').setInputFiles(exampleModelDir);
    await adding.getByText(/1 file/).waitFor();
    await adding.getByRole('button', { name: 'Add', exact: true }).click();
    await isMade(page, '/model/space');
    await page.locator('main').getByText('Ready', { exact: true }).first().waitFor();
    await rm(exampleModelDir, { recursive: true });
    await visitor.goes('/model/deployment');
    expect(await axeComplaints(visitor)).toEqual([]);
    await page.getByRole('link', { name: 'Deploy a model' }).first().click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).first().fill('helper');
    const choose = async (field: string, option: string) => {
      await page.getByRole('combobox', { name: field, exact: true }).click();
      await page.getByRole('option', { name: option, exact: true }).click();
    };
    await choose('Model', 'Tiny');
    await choose('Version', '1.0');
    const fit = page.getByRole('region', { name: 'Fit' });
    await fit
      .getByText(/llama\.cpp on 1 core and [0-9.]+ GiB, without a GPU, with a context of 2,048 tokens\./)
      .waitFor();
    expect(await priceOf(page, '1 core')).toBeGreaterThan(0);
    expect(await axeComplaints(visitor)).toEqual([]);
    await fit.getByRole('button', { name: 'Adjust manually' }).click();
    const memory = page.getByRole('spinbutton', { name: 'Memory' });
    const chosen = await memory.inputValue();
    await memory.fill('0.1');
    await fit.getByText(/^The model does not fit: .* It would fit with [0-9.]+ GiB of memory\.$/).waitFor();
    await memory.fill(chosen);
    await fit.getByText(/llama\.cpp on 1 core and /).waitFor();
    expect(await axeComplaints(visitor)).toEqual([]);
    await page.getByRole('button', { name: 'Deploy', exact: true }).click();
    await isMade(page, '/model/deployment');
    await state(page, 'Active');
    expect(await axeComplaints(visitor)).toEqual([]);
    await page.getByRole('button', { name: 'Edit' }).click();
    await renames(visitor, '/model/deployment', 'assistant');
    for (const name of ['Replicas', 'Revisions', 'Logs', 'Metrics', 'History']) {
      await tab(page, name);
      await visitor.stands();
      expect(await axeComplaints(visitor)).toEqual([]);
    }

    await page.setViewportSize(PHONE);
    await visitor.goes('/model/space');
    await page.getByRole('link', { name: 'Tiny' }).first().click();
    await page.getByRole('heading', { name: 'How to call it' }).waitFor();
    expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    await page.setViewportSize(DESK);

    await visitor.goes('/model/chat');
    await page.getByRole('button', { name: 'Parameters' }).click();
    await page.getByRole('spinbutton', { name: 'Maximum tokens per answer' }).fill('12');
    expect(await axeComplaints(visitor)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('textbox', { name: 'Message' }).fill('Tell me about the sea.');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText(/^12 tokens · [0-9.]+ s · [0-9.]+ tokens\/s · Cost: \$0\.006$/).waitFor();
    expect(await axeComplaints(visitor)).toEqual([]);

    await visitor.goes('/model/deployment');
    await page.getByRole('link', { name: 'assistant' }).first().click();
    await tab(page, 'Requests');
    await page.getByText('12 tokens', { exact: true }).waitFor();
    await page.getByText(/^[0-9.]+ ms \/ [0-9.]+ ms$/).waitFor();
    expect(await axeComplaints(visitor)).toEqual([]);

    await visitor.goes('/model/usage?by=token');
    const row = page.getByRole('table', { name: 'API token' }).getByRole('row', { name: /Without a token/ });
    await eventually('its tokens are written', async () => {
      await page.reload();
      await visitor.stands();
      return /\b12\b.*\$0\.006$/.test(await row.innerText());
    });
    expect(await axeComplaints(visitor)).toEqual([]);
    await visitor.goes('/model/alias');
    await page.getByRole('button', { name: 'Create an alias' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('best');
    expect(await axeComplaints(visitor)).toEqual([]);
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('assistant: 100%').waitFor();
    expect(await axeComplaints(visitor)).toEqual([]);
  },
);

/** Files of the new version, chosen in its dialog. */
async function uploadsVersion(page: Page, message: string, files: Readonly<Record<string, string>>): Promise<void> {
  await page.getByRole('button', { name: 'New version' }).click();
  const dialog = page.getByRole('dialog');
  const chosen = Object.entries(files).map(([name, text]) => ({
    ...{ name, mimeType: 'application/jsonl', buffer: Buffer.from(text) },
  }));
  await dialog.getByLabel('Choose files').setInputFiles(chosen);
  await dialog.getByRole('textbox', { name: 'What is new' }).fill(message);
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click();
  await page.getByText(message).waitFor();
}

/** Each hour's height, a line each. */
const heights = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, at) => `{"hour":${from + at},"height":${(from + at) / 4}}\n`).join('');

/** A number may be written in more than one way. */
const linesOf = (text: string): unknown[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));

/** What programs print that the page shows to be copied, run with a token that may only look. */
async function readByPrograms([curl = '', python = '']: readonly string[]): Promise<string[]> {
  const body = { remark: 'programs', scopes: ['view' as const], expiration_time: null };
  const { token } = await person.client.must(KEY_ROUTES.createApiToken, { body });
  const folder = await mkdtemp(join(tmpdir(), 'gantry-programs-'));
  const env = { GANTRY_TOKEN: token };
  const saved = await runCommand('bash', ['--norc', '-euc', `cd ${folder}; ${curl}`], { env });
  expect([saved.code, linesOf(await readFile(join(folder, 'rows.jsonl'), 'utf8'))]).toEqual([
    0,
    linesOf(heights(1, 40)),
  ]);
  await rm(folder, { recursive: true });
  const { stdout } = await runCommand('python3', ['-c', python], { env });
  return stdout.trim().split('\n');
}

story(
  'a dataset is uploaded by hand, filtered by a bar and asked, a second version sends only what is new and is compared, and staff show it to everybody',
  async (stage) => {
    const visitor = await comesTo(stage, '/data/space');
    const { page } = visitor;
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PUT') sent.push(new URL(request.url()).searchParams.get('path') ?? '');
    });
    await page.getByRole('button', { name: 'New dataset' }).first().click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('tides');
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'tides', level: 1 }).waitFor();
    const first = { 'heights.jsonl': heights(1, 40) };
    await uploadsVersion(page, 'The first hours', first);
    await page.getByRole('region', { name: 'Version 1' }).getByText('Ready', { exact: true }).waitFor();

    const rows = page.getByRole('table', { name: 'Rows' });
    await tab(page, 'Rows');
    await page.getByText('Rows 1 to 40 of 40').waitFor();
    await rows.getByText('0.25', { exact: true }).waitFor();
    await tab(page, 'Statistics');
    await page.getByText(/ · 0\.25 – 10 · mean 5\.125$/).waitFor();
    await page.getByRole('list', { name: 'hour' }).getByTitle('Show the 2 rows: 1 – 2.95').click();
    await page.getByText('hour ≥ 1, hour < 2.95').waitFor();
    await page.getByText('Rows 1 to 2 of 2').waitFor();
    expect(await rows.getByRole('row').count()).toBe(3);
    await tab(page, 'Query');
    await page.getByRole('textbox', { name: 'SQL' }).fill('SELECT sum(height) AS all_of_it FROM data');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByRole('table', { name: 'Result' }).getByText('205', { exact: true }).waitFor();

    await tab(page, 'Overview');
    await page.getByRole('region', { name: 'Use in programs' }).getByText('len(rows)').waitFor();
    expect(await readByPrograms(await page.locator('main pre').allInnerTexts())).toEqual(['40']);

    await tab(page, 'Versions');
    await uploadsVersion(page, 'One more hour', { ...first, 'more.jsonl': heights(41, 41) });
    await page.getByText(/^1 file added · 0 removed · 0 changed · 1 unchanged/).waitFor();
    // The browser has hashed the first one, and the organisation has it.
    expect(sent).toEqual(['heights.jsonl', 'more.jsonl']);
    await page.getByRole('button', { name: 'Compare rows' }).click();
    await page.getByText('1 row added · 0 removed · 40 unchanged · 40 → 41 in total').waitFor();
    await page.getByRole('table', { name: 'Added rows' }).getByText('10.25', { exact: true }).waitFor();
    expect(await axeComplaints(visitor)).toEqual([]);

    await tab(page, 'Files');
    const table = page.getByRole('table', { name: 'Files' });
    for (const path of ['heights.jsonl', 'more.jsonl']) await table.getByText(path, { exact: true }).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download more.jsonl' }).click();
    expect(await readFile(await (await download).path(), 'utf8')).toBe(heights(41, 41));
    const archive = page.waitForEvent('download');
    // With its size, by which it is held in memory instead of asking where to.
    await page.getByRole('button', { name: /^Download all \(/ }).click();
    const packed = await readFile(await (await archive).path());
    expect(['heights.jsonl', 'more.jsonl'].every((path) => packed.includes(path))).toBe(true);

    // Only what an organisation of the staff's own has is shown to everybody.
    const body = { platform_roles: ['catalogue' as const], reason: 'a story' };
    const params = { id: person.accountId };
    await (await stage.staff()).client.must(PEOPLE_COMMANDS.adminEditUser, { params, body });
    const staff = await stage.staffVisitor();
    await staff.isStaff(person);
    await staff.goes('/manage/dataset/datasets');
    await staff.page.getByRole('row', { name: /tides/ }).click();
    await staff.page.getByRole('button', { name: 'Shelve' }).click();
    const dialog = staff.page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('for everybody by the sea');
    await dialog.getByRole('button', { name: 'Shelve' }).click();
    await staff.page.getByText('It is in the library.').waitFor();
    const { client } = (await stage.tenant('deploy_bob')).person;
    const [shown] = await client.must(DATASET_ROUTES.listDatasetLibrary);
    expect(shown).toMatchObject({ name: 'tides', is_own: false, shelved: true, rows: 41, latest_version: 2 });
    const of = { params: { id: shown?.id ?? '', version: 2 }, query: { from: 40 } };
    expect((await client.must(DATASET_TABLE_ROUTES.listDatasetRows, of)).rows).toEqual([[41, 10.25]]);
  },
);

story(
  'a dataset of documents becomes pairs of questions and answers by a task begun on its page, after a look at the first of them',
  async (stage) => {
    const visitor = await comesTo(stage, '/data/space');
    const { page } = visitor;
    // Until the table is there, and until a data server has it.
    visitor.expects(/503 POST .*\/processing\/preview$/);
    await page.getByRole('button', { name: 'New dataset' }).first().click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('ferry');
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'ferry', level: 1 }).waitFor();
    const text = '# Where is the ferry?\n\nAt pier seven.\n\n# What does it cost?\n\nFour crowns.\n';
    await uploadsVersion(page, 'The first timetable', { 'ferry.md': text });
    await page.getByRole('region', { name: 'Version 1' }).getByText('Ready', { exact: true }).waitFor();

    await page.getByRole('link', { name: 'Process', exact: true }).first().click();
    await page.waitForURL(/\/data\/processing\/create\?dataset=dst-[^&]+&version=1$/);
    const choose = async (field: string, option: string) => {
      await page.getByRole('combobox', { name: field, exact: true }).click();
      await page.getByRole('option', { name: option, exact: true }).click();
    };
    await page.getByRole('combobox', { name: 'Input dataset', exact: true }).getByText('ferry').waitFor();
    await choose('Made by', 'Headings');
    await page.getByRole('textbox', { name: 'Name', exact: true }).first().fill('ferry_pairs');
    await page.getByRole('textbox', { name: 'Name of the new dataset', exact: true }).fill('ferry_pairs');
    await page.getByRole('spinbutton', { name: 'CPU' }).fill('0.25');
    await page.getByRole('spinbutton', { name: 'Memory' }).fill('1');
    await page.getByRole('button', { name: 'Preview', exact: true }).click();
    const first = page.getByRole('table', { name: 'First rows of the result' });
    for (const part of ['Where is the ferry?', 'At pier seven.']) await first.getByText(part).waitFor();
    expect(await axeComplaints(visitor)).toEqual([]);
    await page.getByRole('button', { name: 'Create task' }).click();
    await isMade(page, '/data/processing');

    await state(page, 'Success');
    await tab(page, 'Lineage');
    await page.getByRole('table', { name: 'Made from' }).getByRole('link', { name: 'ferry 1', exact: true }).waitFor();
    expect(await axeComplaints(visitor)).toEqual([]);
    await page.getByRole('table', { name: 'Used by' }).getByRole('link', { name: 'ferry_pairs 1' }).click();
    await page.getByRole('heading', { name: 'ferry_pairs', level: 1 }).waitFor();
    await tab(page, 'Rows');
    const rows = page.getByRole('list', { name: 'Rows' });
    for (const part of ['What does it cost?', 'Four crowns.']) await rows.getByText(part, { exact: true }).waitFor();
  },
);
