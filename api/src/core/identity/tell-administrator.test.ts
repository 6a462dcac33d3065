import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, jest, test } from '@jest/globals';
import { tellAdministrator } from './tell-administrator.ts';

const FIRST = { name: 'admin', password: 'abc123' };

test('a file has name and password, and nobody else may read it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gantry-administrator-'));
  try {
    const file = join(folder, 'new', 'administrator');
    await tellAdministrator(FIRST, file);
    expect(await readFile(file, 'utf8')).toBe('admin\nabc123\n');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('without a file standard error says them', async () => {
  const said = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  await tellAdministrator(FIRST, '');
  expect(said.mock.calls.flat().join('')).toBe('administrator: admin, password, told this once: abc123\n');
  said.mockRestore();
});
