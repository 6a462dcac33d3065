// The general terms and the privacy notice, as Markdown: they hold until staff have written their own.
import type { Language } from '@gantry/contract/fields/language.ts';
import { LEGAL_SECTIONS } from '@gantry/ui/legal/sections.ts';
import { words as en } from '@gantry/ui/legal/words/en.ts';
import { words as ja } from '@gantry/ui/legal/words/ja.ts';
import { words as zh } from '@gantry/ui/legal/words/zh.ts';

const WORDS = { en, zh, ja } as const;

export function generalText(page: keyof typeof LEGAL_SECTIONS, language: Language): string {
  const { legal, ...pages } = WORDS[language];
  const sections = pages[page] as Readonly<Record<string, { readonly title: string; readonly text: string }>>;
  const parts = LEGAL_SECTIONS[page].map((id, at) => `## ${at + 1}. ${sections[id]?.title}\n\n${sections[id]?.text}`);
  return [legal.general, ...parts].join('\n\n');
}
