/** @jest-environment node */
// The model library and the datasets as the gateway renders them: what a visitor without scripts reads, and what hostile texts cannot do.
import type { PageInput, PageName } from '@gantry/contract/areas/portal/pages.ts';
import { describe, expect, test } from '@jest/globals';
import { render } from './server.tsx';
import { SURROUNDINGS } from './testing/surroundings.ts';

const HOSTILE = '</script><script>alert(1)</script><img src=x onerror=alert(1)>\u202Edlrow [a](javascript:alert(1))';
const TIME = '2026-11-22T10:00:00.000Z';
const MODEL = {
  ...{ id: 'mdl-1', name: 'Qwen small', name_ranges: [[0, 4]], summary: 'Answers questions.', task: 'Generate' },
  ...{
    size_class: 'small',
    license: 'apache-2.0',
    language: ['en', 'ja'],
    tags: ['chat'],
    structure: 'QwenForCausalLM',
  },
  ...{ format: 'safetensors', quantisation: 'BF16', parameters: 7_600_000_000, context_length: 32_768 },
  ...{ size_bytes: 15_000_000_000, downloads: 12, version: '1.0', update_time: TIME },
};
const FIT = {
  ...{ gpu: 'NVIDIA-H200', name: 'NVIDIA H200', fits: true, message: null, gpus: 1, nodes: 1, engine: 'vllm' },
  ...{ context_length: 32_768, arithmetic: ['Weights: 14.2 GiB'], free: { step: 'few', count: 3 } },
  price: { per: 'hour', amount: '12.340000', list: '12.340000', discount_percent: 0, currency: 'USD' },
};
const DETAIL = {
  ...{ ...MODEL, card: '# About\n\nA **small** model.', weight_bytes: 15_200_000_000, kv_token_bytes: 57_344 },
  ...{
    repository: 'Qwen/small',
    revision: 'abc',
    files: [{ path: 'a.safetensors', size_bytes: 1024, sha256: 'f00d' }],
  },
  fits: [FIT, { ...FIT, gpu: 'Tesla-T4', name: 'Tesla T4', fits: false, message: 'Too little memory.', price: null }],
};
const DATASET = {
  ...{
    id: 'dst-1',
    name: 'Questions',
    name_ranges: [],
    summary: 'Pairs.',
    type: 'qa',
    format: 'jsonl',
    license: 'mit',
  },
  ...{ language: ['zh'], tags: [], rows: 1200, size_bytes: 2048, downloads: 3, version: 2, update_time: TIME },
};
const COLUMN = { name: 'question', type: 'VARCHAR', nulls: 0, distinct: 9, min: null, max: null, values: null };
const DATASET_DETAIL = {
  ...{ ...DATASET, card: 'Text', source: 'hub', digest: 'cafe', file_count: 1, has_rows: true },
  statistics: {
    rows: 1200,
    rejected: 0,
    rejected_kept: 0,
    duplicates: 7,
    languages: [],
    is_cut: false,
    columns: [COLUMN],
  },
};
const list = (items: readonly object[], facets: object, cursor: string | null = null) => ({
  ...{ items, page: 1, size: 24, total: items.length, totalPages: 1 },
  extra: { facets, cursor },
});

const shown = (name: PageName, data: object, more: Partial<PageInput> = {}) =>
  render({
    ...{ name, language: 'en', params: { id: 'mdl-1' }, query: {}, data: data as PageInput['data'] },
    ...SURROUNDINGS,
    ...more,
  });

describe('the model library', () => {
  const facets = { task: [{ value: 'Generate', count: 2 }], license: [{ value: 'apache-2.0', count: 1 }] };
  const data = { listPortalModels: list([MODEL], facets, 'next-1') };

  test('reads whole without scripts: names, facts, facets and the next page', () => {
    const { html } = shown('modelLibrary', data, { query: { search: 'qwen', license: 'apache-2.0' } });
    expect(html).toContain('href="/en/model/mdl-1"');
    expect(html).toContain('<mark>Qwen</mark> small');
    expect(html).toContain('Parameters: 7.6B');
    expect(html).toContain('href="/en/modelLibrary?search=qwen&amp;license=apache-2.0&amp;task=Generate"');
    expect(html).toContain('href="/en/modelLibrary?search=qwen" aria-current="true"');
    expect(html).toContain('href="/en/modelLibrary?search=qwen&amp;license=apache-2.0&amp;cursor=next-1"');
    expect(html).toContain('<input type="hidden" name="license" value="apache-2.0"/>');
    expect(html).toContain('<form');
  });

  test.each([
    ['en', 'Text generation'],
    ['zh', '文本生成'],
    ['ja', 'テキスト生成'],
  ] as const)('in %s names the task %s, and the switcher keeps the search', (language, task) => {
    const { html } = shown('modelLibrary', data, { language, query: { search: 'qwen' } });
    expect(html).toContain(task);
    expect(html).toContain('href="/ja/modelLibrary?search=qwen"');
    expect(html).toContain(`<link rel="canonical" href="https://www.example.org/${language}/modelLibrary">`);
  });

  test('says what it lacks', () => {
    expect(shown('modelLibrary', { listPortalModels: list([], {}) }).html).toContain(
      'There is no model in the library',
    );
    expect(shown('modelLibrary', { listPortalModels: null }).html).toContain('This list cannot be loaded');
  });
});

describe('a model', () => {
  test('is shown with the GPUs that it fits, their price, its files and the way to deploy it', () => {
    const { html, markdown } = shown('model', { readPortalModel: DETAIL });
    expect(html).toContain('$12.34');
    expect(html).toContain('Weights: 14.2 GiB');
    expect(html).toContain('Does not fit: Too little memory.');
    expect(html).toContain('f00d');
    expect(html).toContain('href="https://console.example.org/model/deployment/create?model=mdl-1&amp;version=1.0"');
    expect(html).toContain('https://console.example.org/v1/chat/completions');
    expect(html).toContain('"lowPrice":"12.340000"');
    expect(markdown).toContain('A **small** model.');
    expect(markdown).toContain('| [NVIDIA H200](/en/computingCenter/NVIDIA-H200) |');
  });

  test('that is written by an attacker is text', () => {
    const { html } = shown('model', {
      readPortalModel: {
        ...{ ...DETAIL, name: HOSTILE, card: HOSTILE, license: HOSTILE, summary: HOSTILE, tags: [HOSTILE] },
        files: [{ path: HOSTILE, size_bytes: 1, sha256: null }],
      },
    });
    expect(html).not.toMatch(/<script>alert|<img src=x|href="javascript:/);
    expect(html).toMatch(/<h1[^>]*><bdi>[^<]*\u202E/);
  });

  test('is loaded without React and its data', () => {
    const { html } = shown('model', { readPortalModel: DETAIL });
    expect(html).not.toContain('id="page"');
    expect(html).not.toContain('kv_token_bytes');
    expect(shown('computingCenter', { listMarket: null }).html).toContain('id="page"');
  });
});

describe('datasets', () => {
  test('are found by their facets', () => {
    const facets = { type: [{ value: 'qa', count: 1 }] };
    const { html } = shown('dataset', { listPortalDatasets: list([DATASET], facets) });
    expect(html).toContain('href="/en/dataset/dst-1"');
    expect(html).toContain('href="/en/dataset?type=qa"');
    expect(html).toContain('Questions and answers');
  });

  test('have statistics, first rows as text, and Croissant metadata', () => {
    const { html } = shown('datasetDetail', {
      readPortalDataset: { ...DATASET_DETAIL, card: HOSTILE },
      readPortalDatasetRows: {
        ...{ columns: [{ name: 'question', type: 'VARCHAR' }], cut: [], total: 1200 },
        rows: [[HOSTILE], [{ a: 1 }], [null]],
      },
      readPortalDatasetCroissant: {
        '@context': { cr: 'http://mlcommons.org/croissant/' },
        name: HOSTILE,
        distribution: [],
      },
    });
    expect(html).toContain('<bdi>{&quot;a&quot;:1}</bdi>');
    expect(html).toContain('VARCHAR');
    expect(html).toContain('"@context":{"cr":"http://mlcommons.org/croissant/"}');
    expect(html).toContain('href="https://console.example.org/api/portal/v1/datasets/dst-1/croissant"');
    expect(html).not.toMatch(/<script>alert|<img src=x|href="javascript:/);
  });

  test('without a table say so', () => {
    const data = { readPortalDatasetRows: null, readPortalDatasetCroissant: null };
    const { html } = shown('datasetDetail', { readPortalDataset: { ...DATASET_DETAIL, statistics: null }, ...data });
    expect(html).toContain('There is no preview of this dataset.');
    expect(html).toContain('There are no statistics of this dataset.');
  });
});
