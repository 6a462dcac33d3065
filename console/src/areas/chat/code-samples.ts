// One request as programs send it. Texts are written as JSON writes them: that is right in all three languages.
import type { Prompt } from './ask-model.ts';

export interface CodeSample {
  name: string;
  code: string;
}

export function codeSamples(prompt: Prompt, origin: string): readonly CodeSample[] {
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
    messages=${JSON.stringify(messages)},
${named.map(([name, value]) => `    ${name}=${JSON.stringify(value)},\n`).join('')})
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
