// One request as programs send it. Texts are written as JSON writes them: that is right in all three languages; Python has other words
// for true, false and nothing.
/** Its other members are parameters, by the names that OpenAI gives them. */
interface Request {
  model: string;
  messages: readonly object[];
}

export interface CodeSample {
  name: string;
  code: string;
}

export function codeSamples(prompt: Request, origin: string): readonly CodeSample[] {
  const body = JSON.stringify(prompt, null, 2);
  const base = `${origin}/v1`;
  const { model, messages, ...parameters } = prompt;
  const named = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return [
    {
      name: 'curl',
      code: `curl ${base}/chat/completions \\
  -H "Authorization: Bearer $GANTRY_TOKEN" \\
  -H "Content-Type: application/json" \\
  -d ${quoted(body)}`,
    },
    {
      name: 'Python',
      code: `import os
from openai import OpenAI

client = OpenAI(base_url=${JSON.stringify(base)}, api_key=os.environ["GANTRY_TOKEN"])
answer = client.chat.completions.create(
    model=${JSON.stringify(model)},
    messages=${python(messages)},
${named.map(([name, value]) => `    ${name}=${python(value)},\n`).join('')})
print(answer.choices[0].message.content)`,
    },
    {
      name: 'TypeScript',
      code: `import OpenAI from 'openai';

const client = new OpenAI({ baseURL: ${JSON.stringify(base)}, apiKey: process.env.GANTRY_TOKEN });
const answer = await client.chat.completions.create(${body});
console.log(answer.choices[0]?.message.content);`,
    },
  ];
}

/** For a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

function python(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(python).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${python(member)}`);
  return `{${members.join(', ')}}`;
}
