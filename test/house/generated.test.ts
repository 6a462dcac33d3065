// Generated files are what the facts say today, and nothing else lies among them.
import { expect, test } from '@jest/globals';
import { generatedFiles } from '../../contract/gen/generated-files.ts';
import { filesOf, read } from './source-files.ts';

test('generated files are fresh', () => {
  const stale = Object.entries(generatedFiles()).filter(([file, text]) => read(file) !== text);
  expect(stale.map(([file]) => file)).toEqual([]);
});

test('no file stands among the generated ones that `make gen` does not write', () => {
  const written = Object.keys(generatedFiles()).filter((file) => file.startsWith('crds/'));
  expect(filesOf('crds/*.yaml', 'crds/platform/*.yaml', 'crds/install-crds/*.yaml', 'crds/backup/*.yaml')).toEqual(
    written.sort(),
  );
});
