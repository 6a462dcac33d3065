// Commands as people type them.
import { expect, test } from '@jest/globals';
import { joinCommand, splitCommand } from './split-command.ts';

test.each<[string, string, string[] | undefined]>([
  ['words are split at spaces, however many', '  jupyter   lab ', ['jupyter', 'lab']],
  ['double quotes hold together', 'sh -c "sleep 5; ls"', ['sh', '-c', 'sleep 5; ls']],
  ['single quotes take everything as it is', `echo '\\n "x"'`, ['echo', '\\n "x"']],
  ['quotes may begin inside a word', `--name="my lab"`, ['--name=my lab']],
  ['quotes around nothing are an empty word', `echo ''`, ['echo', '']],
  ['a backslash keeps a space', 'cat my\\ file', ['cat', 'my file']],
  ['inside double quotes a backslash is one, but before a quote', '"a\\b\\"c"', ['a\\b"c']],
  [
    'a backslash at the end of a line goes on with the next',
    'docker run \\\n  -it \\\r\n  busy\\\nbox',
    ['docker', 'run', '-it', 'busybox'],
  ],
  ['inside double quotes, too', '"sleep \\\n1"', ['sleep 1']],
  ['inside single quotes it is two letters', "'sleep \\\n1'", ['sleep \\\n1']],
  ['a backslash before a backslash ends no line', 'a\\\\\nb', ['a\\', 'b']],
  ['a line that goes on and ends there is no word', 'ls \\\n', ['ls']],
  ['a line alone that goes on is no command', '\\\n', undefined],
  [
    'inside double quotes a dollar and a backtick are escaped, and others are not',
    '"\\$A \\`b\\` \\n"',
    ['$A `b` \\n'],
  ],
  ['nothing is no command', '   ', undefined],
  ['a quote that is not closed is no command', 'sh -c "ls', undefined],
])('%s', (_, line, words) => {
  expect(splitCommand(line)).toEqual(words);
});

test.each([[['sh', '-c', "it's; $HOME"]], [['a', '', 'b c']], [['python3', '-m', 'http.server', '8000']]])(
  'what was joined is split into the same words: %j',
  (words) => {
    expect(splitCommand(joinCommand(words))).toEqual(words);
  },
);
