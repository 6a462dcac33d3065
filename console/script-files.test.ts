// Which file of the build a module is in, for a small console.
import { expect, test } from '@jest/globals';
import { scriptFiles } from './script-files.ts';

const IMPORTS: Readonly<Record<string, readonly string[]>> = {
  main: ['react', 'button'],
  login: ['react', 'link'],
  shell: ['react', 'link', 'menu'],
  'a-page': ['table', 'form', 'menu', 'only-a'],
  'b-page': ['table', 'form'],
  'c-page': ['table', 'form', 'few'],
  'd-page': ['few'],
  table: ['button', 'chip'],
  form: ['/node_modules/zod/index.js'],
};
const fileOf = scriptFiles(
  { entry: 'main', login: 'login', frame: ['shell'], pages: ['a-page', 'b-page', 'c-page', 'd-page'] },
  (id) => ({ importedIds: IMPORTS[id] ?? [] }),
);

test.each([
  ['the program is by itself', 'main', undefined],
  ['what the program begins with comes first', 'react', 'first'],
  ['what it begins with is there only once, whoever else needs it', 'button', 'first'],
  ['what signing in needs besides is no part of it', 'link', 'login'],
  ['what the frame needs comes once somebody is signed in', 'menu', 'frame'],
  ['what many pages share is one file', 'table', 'shared'],
  ['and what that is made of', 'chip', 'shared'],
  ['what two pages share is left to the bundler', 'few', undefined],
  ['so is what one page needs', 'only-a', undefined],
  ['schemas come with the pages that need them', '/node_modules/zod/index.js', undefined],
  ['and so does what is made with them, however many share it', 'form', undefined],
])('%s', (_, id, file) => {
  expect(fileOf(id)).toBe(file);
});
