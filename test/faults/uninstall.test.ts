// The uninstaller on an API server that fails half-way: objects that it could not count do not count as none.
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KINDS } from '@gantry/contract/kinds.ts';
import { afterEach, expect, test } from '@jest/globals';
import { runCommand } from '../support/command.ts';

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

/** As custom columns of kubectl, with a stranger's kind among them. */
const LISTED = ['widgets   example.com', ...Object.values(KINDS).map(({ plural }) => `${plural}   gantry.dev`)].join(
  '\\n',
);

/** Runs the script with a kubectl that records its arguments; `answers` is shell code over the same arguments. */
async function uninstall(answers: string, ...args: string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-uninstall-'));
  folders.push(folder);
  const kubectl = join(folder, 'kubectl');
  await writeFile(
    kubectl,
    `#!/bin/sh\necho "$*" >> ${folder}/asked\n${answers}\ncase "$*" in "get crd "*) printf '${LISTED}\\n';; esac\n`,
  );
  await chmod(kubectl, 0o755);
  const ended = await runCommand('crds/uninstall.sh', args, { env: { PATH: `${folder}:${process.env.PATH}` } });
  const asked = (await readFile(`${folder}/asked`, 'utf8')).split('\n');
  return { ...ended, deletedKinds: asked.filter((line) => line.startsWith('delete crd')) };
}

test('an error while it counts ends it, and every kind stays', async () => {
  const { code, stderr, deletedKinds } = await uninstall(
    'case "$*" in "get gpuinstances"*) echo "etcdserver: request timed out" >&2; exit 1;; esac',
  );
  expect(code).not.toBe(0);
  expect(stderr).toContain('request timed out');
  expect(deletedKinds).toEqual([]);
});

test('where the kinds cannot be listed, none goes', async () => {
  const { code, stderr, deletedKinds } = await uninstall(
    'case "$*" in "get crd "*) echo "etcdserver: request timed out" >&2; exit 1;; esac',
  );
  expect([code, stderr.trim(), deletedKinds]).toEqual([1, 'etcdserver: request timed out', []]);
});

test('remaining objects keep the kinds, and are counted', async () => {
  const { code, stdout, deletedKinds } = await uninstall('case "$*" in "get images"*) printf "a\\nb\\n";; esac');
  expect(code).toBe(1);
  expect(stdout).toContain('2 images are left');
  expect(deletedKinds).toEqual([]);
});

test('with nothing left every kind goes', async () => {
  const { code, deletedKinds } = await uninstall('');
  const kinds = Object.values(KINDS).map(({ plural }) => `delete crd ${plural}.gantry.dev`);
  expect(code).toBe(0);
  expect(deletedKinds.sort()).toEqual(kinds.sort());
});

const CAN_NOT_ANNOTATE = `
  "get organizations.gantry.dev --no-headers"*) echo acme;;
  "annotate --overwrite organization.gantry.dev acme"*) echo "acme cannot be written" >&2; exit 1;;`;

test("an organisation that was on its way out and is gone by now stands in nobody's way", async () => {
  const { code, stderr, deletedKinds } = await uninstall(`case "$*" in ${CAN_NOT_ANNOTATE} esac`, '--yes');
  expect([code, stderr, deletedKinds.length]).toEqual([0, '', Object.keys(KINDS).length]);
});

test('one that is there and cannot be confirmed ends it, and every kind stays', async () => {
  const isThere = '"get organization.gantry.dev acme"*) echo organization.gantry.dev/acme;;';
  const { code, stderr, deletedKinds } = await uninstall(`case "$*" in ${CAN_NOT_ANNOTATE} ${isThere} esac`, '--yes');
  expect([code, stderr, deletedKinds]).toEqual([1, 'acme cannot be written\n', []]);
});
