import { expect, test } from '@jest/globals';
import { ownViewOf, partsOf, piecesOf, turnsIn } from './own-view.ts';

const columns = (...names: string[]) => names.map((name) => ({ name, type: 'VARCHAR' }));

test.each([
  ['files', 'file', columns('question', 'answer'), undefined],
  ['pairs', 'qa', columns('id', 'Answer', 'Question'), { kind: 'qa', question: 'Question', answer: 'Answer' }],
  ['pairs of an instruction', 'qa', columns('instruction', 'input', 'output'), undefined],
  ['conversations', 'qa', columns('messages'), { kind: 'turns', turns: 'messages' }],
  ['pairs that are named otherwise', 'qa', columns('left', 'right'), undefined],
  ['prompts', 'prompt', columns('id', 'template'), { kind: 'prompt', text: 'template' }],
  ['prompts that are named otherwise', 'prompt', columns('ask'), { kind: 'prompt', text: 'ask' }],
  ['documents', 'rag', columns('file', 'kind', 'page', 'text'), { kind: 'document', text: 'text' }],
  ['numbers', 'rag', [{ name: 'n', type: 'BIGINT' }], undefined],
] as const)('the view of %s', (name, type, found, view) => {
  const instruction = { kind: 'qa', question: 'instruction', answer: 'output' };
  expect(ownViewOf(type, found)).toEqual(name === 'pairs of an instruction' ? instruction : view);
});

test('turns are those of OpenAI and of ShareGPT, and nothing else', () => {
  expect(turnsIn([{ role: 'user', content: 'Hi' }])).toEqual([{ role: 'user', text: 'Hi' }]);
  expect(turnsIn([{ from: 'gpt', value: 'Ho' }])).toEqual([{ role: 'gpt', text: 'Ho' }]);
  expect(turnsIn([{ role: 'user', content: [{ type: 'text' }] }])?.[0]?.text).toBe('[{"type":"text"}]');
  for (const none of ['text', null, [1], [null]]) expect(turnsIn(none)).toBeUndefined();
});

test('variables of a prompt are told from its text', () => {
  const prompt = `Hi {{ name }}, \${day} at %{hour}: {place}? {"a": 1} {}`;
  const pieces = piecesOf(prompt);
  expect(pieces.filter((piece) => piece.isVariable).map(({ text }) => text)).toEqual([
    ...['{{ name }}', `\${day}`, '%{hour}', '{place}'],
  ]);
  expect(pieces.map(({ text }) => text).join('')).toBe(prompt);
});

test('a long text is cut into parts at its lines, and none of it is lost', () => {
  expect(partsOf('aaaa\nbb\ncccccccccccc', 8)).toEqual(['aaaa\nbb\n', 'cccccccc', 'cccc']);
  expect(partsOf('', 8)).toEqual(['']);
});
