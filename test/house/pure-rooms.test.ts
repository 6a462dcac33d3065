// Plans and facts are functions of their inputs: no clock, no randomness, no environment, no I/O.
import { expect, test } from '@jest/globals';
import ts from 'typescript';
import { filesOf, read } from './source-files.ts';

const PURE = ['contract/src/**/*.ts', 'operator/src/kinds/**/*.ts', 'operator/src/metering.ts'];

/** Globals that must not be called, nor asked for a member; `*` is any member. */
const IMPURE: Readonly<Record<string, readonly string[]>> = {
  Date: ['now'],
  Math: ['random'],
  performance: ['*'],
  crypto: ['*'],
  process: ['*'],
  globalThis: ['*'],
  console: ['*'],
  fetch: [],
  setTimeout: [],
  setInterval: [],
  setImmediate: [],
  queueMicrotask: [],
};

/** A sentence for each impurity: `plan.ts:7 Date.now`. */
function impurities(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const what = impurityOf(node);
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
    if (what !== undefined) found.push(`${file}:${line + 1} ${what}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function impurityOf(node: ts.Node): string | undefined {
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
    return node.moduleSpecifier.text.startsWith('node:') ? node.moduleSpecifier.text : undefined;
  }
  if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression)) {
    const members = listed(node.expression.text);
    const isListed = members?.includes('*') || members?.includes(node.name.text);
    return isListed ? `${node.expression.text}.${node.name.text}` : undefined;
  }
  if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
    return listed(node.expression.text) ? `${node.expression.text}()` : undefined;
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) return 'import()';
  const isNow = ts.isNewExpression(node) && node.expression.getText() === 'Date' && !node.arguments?.length;
  return isNow ? 'new Date()' : undefined;
}

const listed = (name: string) => (Object.hasOwn(IMPURE, name) ? IMPURE[name] : undefined);

test('pure rooms are free of clocks, chance, environment and I/O', () => {
  const files = filesOf(...PURE).filter((file) => !file.endsWith('.test.ts'));
  expect(files.length).toBeGreaterThan(10);
  expect(files.flatMap((file) => impurities(file, read(file)))).toEqual([]);
});

test.each([
  ['const a = Date.now();', 'Date.now'],
  ['const a = new Date();', 'new Date()'],
  ['const a = Date();', 'Date()'],
  ['const a = Math.random();', 'Math.random'],
  ['const a = process.env.HOME;', 'process.env'],
  ["const a = await fetch('https://example.org');", 'fetch()'],
  ["import { readFileSync } from 'node:fs';", 'node:fs'],
  ["const a = await import('./a.ts');", 'import()'],
])('%s is found', (text, what) => {
  expect(impurities('a.ts', text)).toEqual([`a.ts:1 ${what}`]);
});

test.each([
  'const a = new Date(0);',
  'const a = Date.parse(b);',
  'const a = { process: 1 };',
  'const a = Math.max(1, 2);',
])('%s is not', (text) => {
  expect(impurities('a.ts', text)).toEqual([]);
});
