// The OpenAPI document is one that generators of clients read: they fail on the whole of it where one schema is beyond them.
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { runCommand } from '../../../test/support/command.ts';
import { pythonWith } from '../../../test/support/python-with.ts';
import { soakTest } from '../../../test/support/soak.ts';
import type { OpenapiDocument } from '../../gen/openapi-faults.ts';
import { openapiDocument } from './openapi.ts';
import { ROUTES } from './routes.ts';

const document = JSON.parse(JSON.stringify(openapiDocument(Object.values(ROUTES), '1.0.0'))) as OpenapiDocument;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, one]) => ({ path, method, ...one })),
);

test('has every call; `make verify` looks for what linters complain of', () => {
  expect(operations.length).toBeGreaterThan(400);
});

test('has the calls of /v1, by an API token and with errors of their own', () => {
  const calls = operations.filter(({ path }) => !path.startsWith('/api/'));
  expect(calls.map(({ path }) => path).sort()).toEqual([
    ...['/v1/chat/completions', '/v1/completions', '/v1/embeddings', '/v1/knowledge/{dataset}/search'],
    ...['/v1/models', '/v1/models/{model}', '/v1/rerank', '/v1/responses', '/v2/rerank'],
  ]);
  for (const { security, responses } of calls) {
    expect(security).toEqual([{ apiToken: [] }]);
    expect(JSON.stringify(responses?.['400'])).toContain('#/components/schemas/ModelError');
  }
});

soakTest(
  'makes clients by three generators: one for Python, two for TypeScript',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'clients-'));
    const file = join(folder, 'openapi.json');
    await writeFile(file, JSON.stringify(document));
    const python = await pythonWith('openapi-python-client-0.28.3', ['openapi-python-client==0.28.3']);
    const npm = (...packages: string[]) => ['exec', '--yes', ...packages.map((one) => `--package=${one}`), '--'];
    const made = async (command: string, ...args: string[]) => {
      const { code, stderr } = await runCommand(command, args, { cwd: folder });
      expect([command, code, code === 0 ? '' : stderr]).toEqual([command, 0, '']);
    };
    await made(python, '-m', 'openapi_python_client', 'generate', '--path', file, '--output-path', 'python');
    await made('npm', ...npm('openapi-typescript@7.13.0'), 'openapi-typescript', file, '--output', 'types.ts');
    await made(
      'npm',
      ...npm('@hey-api/openapi-ts@0.99.0', 'typescript@5.9.3'),
      'openapi-ts',
      '-i',
      file,
      '-o',
      'client',
    );
    expect(await readdir(join(folder, 'python/gantry_client/api/v1'))).toEqual(
      expect.arrayContaining(['create_chat_completion.py', 'create_response.py', 'rerank.py']),
    );
    expect(await readdir(join(folder, 'python/gantry_client/api/alert'))).toContain('query_alert.py');
    const types = await readFile(join(folder, 'types.ts'), 'utf8');
    for (const { path } of operations) expect(types).toContain(`"${path}"`);
    expect(await readFile(join(folder, 'client/sdk.gen.ts'), 'utf8')).toContain('createChatCompletion');
  },
  600_000,
);
