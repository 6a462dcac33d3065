import type { DatasetFormat } from '@gantry/contract/areas/datasets/datasets.ts';
import { expect, test } from '@jest/globals';
import { commonFormat, SNIFFED, sniffFormat } from './sniff-format.ts';

const CASES: Readonly<Record<string, readonly [path: string, content: string | Uint8Array, format: DatasetFormat]>> = {
  'Parquet by its magic, whatever its name is': ['rows.csv', 'PAR1\x15\x04', 'parquet'],
  'a PDF': ['a', '%PDF-1.7', 'pdf'],
  'a picture that is called a text': ['notes.md', Buffer.from('89504e470d0a1a0a', 'hex'), 'image'],
  'a sound': ['a.wav', 'RIFF\0\0\0\0WAVEfmt ', 'audio'],
  'an archive with the name of a document': ['a.docx', 'PK\x03\x04', 'docx'],
  'any other archive': ['a.zip', 'PK\x03\x04', 'other'],
  'comma-separated values by their name': ['a.csv', 'a,b\n1,2\n', 'csv'],
  'tab-separated values': ['a.TSV', 'a\tb\n', 'tsv'],
  'objects line by line': ['a.json', '{"a":1}\n{"a":2}\n', 'jsonl'],
  'one object over several lines': ['a.json', '{\n  "a": 1\n}', 'json'],
  'an array': ['a.jsonl', '[{"a":1}]', 'json'],
  'a first row that is longer than what is looked at': [
    'a.jsonl',
    `{"a":"${'x'.repeat(SNIFFED)}`.slice(0, SNIFFED),
    'jsonl',
  ],
  'plain text': ['a', 'hello', 'text'],
  'bytes that are no text': ['a.csv', Buffer.from('fffe0041', 'hex'), 'other'],
  nothing: ['a.bin', '', 'text'],
};

test.each(Object.entries(CASES))('%s', (_, [path, content, format]) => {
  expect(sniffFormat(path, typeof content === 'string' ? Buffer.from(content, 'utf8') : content)).toBe(format);
});

test('a character that is cut at the end of what is looked at is no fault', () => {
  expect(sniffFormat('a.csv', Buffer.from('é,ü').subarray(0, 4))).toBe('csv');
});

test('files of several formats are mixed', () => {
  expect([commonFormat(['csv', 'csv']), commonFormat(['csv', 'json']), commonFormat([])]).toEqual([
    'csv',
    'mixed',
    'other',
  ]);
});
