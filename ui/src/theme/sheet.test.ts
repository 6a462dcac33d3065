// Styles as text: what a browser reads of them.
import { expect, test } from '@jest/globals';
import { TABLE_LOOKS } from '../table/table-looks.tsx';
import { PLAIN_LOOKS } from './plain-looks.ts';
import { sheetOf } from './sheet.ts';

test.each([
  ['numbers are lengths', { a: { width: 4, margin: 0 } }, 'a{width:4px;margin:0;}'],
  ['but not all', { a: { opacity: 0.5, flex: 1, zIndex: 2, '--n': '3' } }, 'a{opacity:0.5;flex:1;z-index:2;--n:3;}'],
  ['a mask has its former name, too', { a: { mask: 'none' } }, 'a{-webkit-mask:none;mask:none;}'],
  ['a vendor has its hyphen', { a: { WebkitTextFillColor: '#fff' } }, 'a{-webkit-text-fill-color:#fff;}'],
  [
    'rules within come after, by their own selector',
    { a: { '&:hover': { top: 1 }, left: 2 } },
    'a{left:2px;}a:hover{top:1px;}',
  ],
  [
    'one within of many is for each of them',
    { a: { '& b, & i': { '&:hover': { top: 1 } } } },
    ':is(a b, a i):hover{top:1px;}',
  ],
  [
    'a condition is around',
    { a: { '@media print': { top: 1, '& b': { left: 2 } } } },
    '@media print{a{top:1px;}a b{left:2px;}}',
  ],
  [
    'frames of a movement are named by themselves',
    { '@keyframes turn': { to: { transform: 'none' } } },
    '@keyframes turn{to{transform:none;}}',
  ],
] as const)('%s', (_, styles, text) => {
  expect(sheetOf(styles)).toBe(text);
});

test.each([
  ['of plain elements', sheetOf(PLAIN_LOOKS)],
  ['of tables', (TABLE_LOOKS.props as { children: string }).children],
])('the sheet %s has nothing that a browser can not read', (_, text) => {
  const sheet = document.createElement('style');
  sheet.textContent = text;
  document.head.replaceChildren(sheet);
  expect(text).not.toMatch(/&|\{\}|undefined|NaN|\[object/);
  expect(countOf(sheet.sheet as CSSStyleSheet)).toBe(text.match(/\{/g)?.length);
});

const countOf = ({ cssRules }: { readonly cssRules: CSSRuleList }): number =>
  [...cssRules].reduce((sum, rule) => sum + 1 + ('cssRules' in rule ? countOf(rule as CSSGroupingRule) : 0), 0);
