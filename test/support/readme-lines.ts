// The commands that the README tells a person to type.
import { readFile } from 'node:fs/promises';

/** The code blocks below a heading such as `### Create it`. */
export async function linesBelow(heading: string): Promise<string> {
  const readme = await readFile('README.md', 'utf8');
  const part = readme.slice(readme.indexOf(`\n${heading}\n`) + 1).split(/\n#{2,3} /)[0] ?? '';
  return [...part.matchAll(/^```\n(.*?)^```$/gms)].map(([, code]) => code).join('');
}
