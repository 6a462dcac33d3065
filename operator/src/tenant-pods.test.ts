// A tenant's text reaches their program exactly as written, by the kubelet's own rules.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { commandOf, variablesOf, verbatim } from './tenant-pods.ts';

/** Kubernetes' third_party/forked/golang/expansion/expand.go: it reads bytes, and takes the one after a `$` for a letter. */
function expanded(text: string, variables: Readonly<Record<string, string>>): string {
  const input = Buffer.from(text);
  const out: Buffer[] = [];
  let checkpoint = 0;
  for (let cursor = 0; cursor < input.length; cursor++) {
    if (input[cursor] !== 0x24 || cursor + 1 >= input.length) continue;
    out.push(input.subarray(checkpoint, cursor));
    const { read, isVariable, advance } = nameIn(input.subarray(cursor + 1));
    out.push(isVariable ? Buffer.from(variables[`${read}`] ?? `$(${read})`) : read);
    cursor += advance;
    checkpoint = cursor + 1;
  }
  return Buffer.concat([...out, input.subarray(checkpoint)]).toString();
}

function nameIn(input: Buffer): { read: Buffer; isVariable: boolean; advance: number } {
  const [first = 0] = input;
  if (first === 0x24) return { read: input.subarray(0, 1), isVariable: false, advance: 1 };
  if (first !== 0x28) return { read: Buffer.from(`$${String.fromCodePoint(first)}`), isVariable: false, advance: 1 };
  const closer = input.indexOf(0x29, 1);
  if (closer < 0) return { read: Buffer.from('$('), isVariable: false, advance: 1 };
  return { read: input.subarray(1, closer), isVariable: true, advance: closer + 1 };
}

const KNOWN = { HOME: '/root', A: 'a', '': 'nothing' };
/** Many of the letters that mean something to the kubelet, and any other ones. */
const written = fc
  .array(fc.oneof(fc.constantFrom('$', '$$', '(', ')', '$(A)', '$(HOME)', '$()', '$é', '$(', 'A'), fc.string()))
  .map((parts) => parts.join(''))
  // A name or a command is text of Unicode, which has no half of a pair.
  .filter((text) => text.isWellFormed());

describe('what Kubernetes makes of a text', () => {
  test.each([
    ['pa$$word', 'pa$word'],
    ['$(A)/$(NONE)', 'a/$(NONE)'],
    ['5$ and $x', '5$ and $x'],
    ['$é', '$Ã\ufffd'],
    ['$(A', '$(A'],
  ])('%s arrives as %s', (text, arrives) => {
    expect(expanded(text, KNOWN)).toBe(arrives);
  });
});

test('whatever is written arrives unchanged', () => {
  fc.assert(fc.property(written, (text) => expect(expanded(verbatim(text), KNOWN)).toBe(text)));
});

test('a variable and a command are escaped, but where Kubernetes is asked to read them', () => {
  expect(
    variablesOf({
      env: [
        { name: 'A', value: 'pa$$word' },
        { name: 'B', value: '$(A)', expand: true },
      ],
    }),
  ).toEqual([
    { name: 'A', value: 'pa$$$$word' },
    { name: 'B', value: '$(A)' },
  ]);
  expect(commandOf({ command: ['echo', '$(A)$'] })).toEqual(['echo', '$$(A)$$']);
  expect(commandOf({ command: ['echo', '$(A)$'], expandCommand: true })).toEqual(['echo', '$(A)$']);
});
