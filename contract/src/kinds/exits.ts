// How a program ended, in words: what an exit code means where everybody means the same by it, and the ends that the platform
// names itself in `status.run.lastExit`.
import { sentence, type Words } from '../define-kind.ts';
import type { Language } from '../fields/language.ts';
import { type Said, said } from '../said.ts';
import * as en from '../words/en/exits.ts';
import * as ja from '../words/ja/exits.ts';
import { joined } from '../words/join.ts';
import * as zh from '../words/zh/exits.ts';

/** Words for `exit code <n>`; the shell's and the kernel's conventions, which `agent init` keeps. */
export const EXIT_CODES = joined('exit', { en: en.codes, zh: zh.codes, ja: ja.codes });

export const ANY_EXIT_CODE: Words = { key: 'exit.any', en: en.anyCode, zh: zh.anyCode, ja: ja.anyCode };

/** How it ended, and what it wrote before. */
export const AFTER_LINES: Words = {
  key: 'exit.afterLines',
  en: en.afterLines,
  zh: zh.afterLines,
  ja: ja.afterLines,
};

/** Why it never ran: the runtime's words, which repeat the command. */
export const NOT_STARTED: Words = { key: 'exit.notStarted', en: en.notStarted, zh: zh.notStarted, ja: ja.notStarted };

/** As `podExit` says it. */
export const START_ERROR = 'StartError';

const ENDS = joined('end', {
  en: en.otherEnds,
  zh: zh.otherEnds,
  ja: ja.otherEnds,
});
const OTHER_ENDS: Readonly<Record<string, Words>> = ENDS;

const wordsFor = (code: string): Words =>
  Object.hasOwn(EXIT_CODES, code) ? EXIT_CODES[code as unknown as keyof typeof EXIT_CODES] : ANY_EXIT_CODE;

/** As a part of a sentence: "exit code 127: the image has no such command", with the last lines that it wrote, if any. */
export function exitCodeSaid(code: string, lines = ''): Said {
  const ended = said(wordsFor(code), { code });
  return lines === '' ? ended : said(AFTER_LINES, { ended, lines });
}

/** The sentence about a program that never ran, with the runtime's words. */
export function startErrorSaid(lines = ''): Said {
  const ended = said(ENDS[START_ERROR]);
  return lines === '' ? ended : said(NOT_STARTED, { ended, lines });
}

/** How a run ended, as a part of a sentence: `exit` is what is recorded of it. */
export function exitSaid(exit: string, lines = ''): Said | undefined {
  const code = /^exit code (\d+)$/.exec(exit)?.[1];
  if (code !== undefined) return exitCodeSaid(code, lines);
  return exit === START_ERROR ? startErrorSaid(lines) : undefined;
}

/** Sentences that quote a program, or a command. */
const QUOTING: readonly string[] = [AFTER_LINES, NOT_STARTED].map(({ key = '' }) => key);

/**
 * A stored sentence without what programs wrote, at any depth of its arguments: for readers who may see no output. Texts that quoted
 * the output and cannot be shortened are dropped.
 */
export function withoutOutput(args: Readonly<Record<string, unknown>>, message: string) {
  let kept: Record<string, unknown> = { ...args };
  let text = message;
  for (const [name, value] of Object.entries(args)) {
    if (!QUOTING.includes(`${value}`) || !name.endsWith('.sentence')) continue;
    const path = name.slice(0, -'.sentence'.length);
    const { [path]: whole = '', [`${path}.ended`]: ended = '' } = args;
    const shorter = (one: unknown) =>
      typeof one === 'string' && one.includes(`${whole}`) ? one.replaceAll(`${whole}`, () => `${ended}`) : '';
    text = shorter(text);
    kept = Object.fromEntries(
      Object.entries(kept).flatMap(([at, one]) => {
        if (at.startsWith(`${path}.ended`)) return [[`${path}${at.slice(`${path}.ended`.length)}`, one]];
        if (at.startsWith(`${path}.`)) return [];
        return [[at, path === at || path.startsWith(`${at}.`) ? shorter(one) : one]];
      }),
    );
    kept[path] = ended;
  }
  return { args: kept, message: text };
}

/** `status.run.lastExit` for people; a reason without words, such as a kubelet's OutOfcpu, stays as it is. */
export function lastExitInWords(lastExit: string, language: Language): string {
  const code = /^exit code (\d+)$/.exec(lastExit)?.[1];
  if (code !== undefined) return sentence(wordsFor(code), language, { code });
  return Object.hasOwn(OTHER_ENDS, lastExit) ? (OTHER_ENDS[lastExit]?.[language] ?? lastExit) : lastExit;
}
