import { expect, test } from '@jest/globals';
import { codeSamples } from './code-samples.ts';

const prompt = {
  model: 'acme/tiny',
  messages: [{ role: 'user' as const, content: 'It\'s "wide"\nand $deep `x`' }],
  temperature: 0.5,
  tools: [{ strict: true, parameters: null }],
};
const [curl, python, typescript] = codeSamples(prompt, 'https://gantry.example').map(({ code }) => code);

test('a shell passes the body on as it is', () => {
  const body = /-d '(.*)'$/s.exec(curl ?? '')?.[1]?.replaceAll(`'\\''`, "'");
  expect(JSON.parse(body ?? '')).toEqual(prompt);
  expect(curl).toContain('https://gantry.example/v1/chat/completions');
});

test('programs get the same texts, quoted', () => {
  const quoted = JSON.stringify(prompt.messages[0]?.content);
  expect(python).toContain(`"content": ${quoted}`);
  expect(python).toContain('    temperature=0.5,\n    tools=[{"strict": True, "parameters": None}],\n)');
  expect(typescript).toContain(quoted);
});
