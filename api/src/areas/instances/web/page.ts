// Our only pages on the tenants' domain: plain, without a script, in the visitor's language.
import type { Language } from '@gantry/contract/fields/language.ts';

const PAGES = {
  enter: {
    en: 'Open this from the console.',
    zh: '请从控制台打开此页面。',
    ja: 'コンソールから開いてください。',
  },
  notRunning: {
    en: 'The instance is not running.',
    zh: '实例未运行。',
    ja: 'インスタンスは実行されていません。',
  },
  notAnswering: {
    en: 'Nothing answers on this port of the instance yet. Try again in a moment.',
    zh: '实例的该端口暂无响应，请稍后重试。',
    ja: 'インスタンスのこのポートはまだ応答していません。しばらくしてから再試行してください。',
  },
  malformed: {
    en: 'The request is malformed.',
    zh: '请求格式不正确。',
    ja: '要求の形式が正しくありません。',
  },
  foreign: {
    en: 'This request came from another page and was refused.',
    zh: '该请求来自其他页面，已被拒绝。',
    ja: '別のページからの要求のため拒否しました。',
  },
} as const;
export type Page = keyof typeof PAGES;

const LANG: Record<Language, string> = { en: 'en', zh: 'zh-Hans', ja: 'ja' };

export function htmlOf(page: Page, language: Language): string {
  const text = PAGES[page][language];
  return `<!doctype html><html lang="${LANG[language]}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Gantry</title><p>${text}</p></html>\n`;
}
