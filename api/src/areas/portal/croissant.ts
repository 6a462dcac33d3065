// Croissant 1.0 metadata of a dataset, as JSON-LD: what search engines and loaders of data read. Only what everybody is shown is in it.
import type { DatasetFormat } from '@gantry/contract/areas/datasets/datasets.ts';
import type { DatasetColumnStatistics } from '@gantry/contract/areas/datasets/tables.ts';

export interface ListedFile {
  path: string;
  size_bytes: number;
  sha256: string | null;
}

export interface Described {
  id: string;
  name: string;
  description: string;
  license: string | null;
  language: readonly string[];
  tags: readonly string[];
  format: DatasetFormat | null;
  /** Its number. */
  version: string;
  digest: string | null;
  create_time: string;
  update_time: string;
  files: readonly ListedFile[];
  columns: readonly Pick<DatasetColumnStatistics, 'name' | 'type'>[];
  publicUrl: string;
}

/** As the specification wants it to be written. */
const CONTEXT = {
  '@language': 'en',
  '@vocab': 'https://schema.org/',
  citeAs: 'cr:citeAs',
  column: 'cr:column',
  conformsTo: 'dct:conformsTo',
  cr: 'http://mlcommons.org/croissant/',
  data: { '@id': 'cr:data', '@type': '@json' },
  dataType: { '@id': 'cr:dataType', '@type': '@vocab' },
  dct: 'http://purl.org/dc/terms/',
  extract: 'cr:extract',
  field: 'cr:field',
  fileObject: 'cr:fileObject',
  fileProperty: 'cr:fileProperty',
  fileSet: 'cr:fileSet',
  format: 'cr:format',
  includes: 'cr:includes',
  isLiveDataset: 'cr:isLiveDataset',
  jsonPath: 'cr:jsonPath',
  key: 'cr:key',
  md5: 'cr:md5',
  parentField: 'cr:parentField',
  path: 'cr:path',
  recordSet: 'cr:recordSet',
  references: 'cr:references',
  regex: 'cr:regex',
  repeated: 'cr:repeated',
  replace: 'cr:replace',
  sc: 'https://schema.org/',
  separator: 'cr:separator',
  source: 'cr:source',
  subField: 'cr:subField',
  transform: 'cr:transform',
};

/** By the end of a file's name. */
const ENCODINGS: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  json: 'application/json',
  jsonl: 'application/jsonlines',
  parquet: 'application/x-parquet',
  txt: 'text/plain',
  md: 'text/markdown',
  pdf: 'application/pdf',
};
const encodingOf = (path: string): string =>
  ENCODINGS[path.slice(path.lastIndexOf('.') + 1).toLowerCase()] ?? 'application/octet-stream';

/** DuckDB's types, the first that holds. */
const TYPES: readonly (readonly [RegExp, string])[] = [
  [/\[\]$|^(LIST|STRUCT|MAP|UNION)/, 'sc:Text'],
  [/INT/, 'sc:Integer'],
  [/^(FLOAT|DOUBLE|DECIMAL|REAL)/, 'sc:Float'],
  [/^BOOLEAN/, 'sc:Boolean'],
  [/^DATE/, 'sc:Date'],
  [/^TIME/, 'sc:DateTime'],
];
const typeOf = (type: string): string => TYPES.find(([pattern]) => pattern.test(type.toUpperCase()))?.[1] ?? 'sc:Text';

export function croissantOf(dataset: Described): Record<string, unknown> {
  const { id, files, columns, publicUrl, version } = dataset;
  const address = `${publicUrl.replace(/\/+$/, '')}/api`;
  const [first] = files;
  return {
    '@context': CONTEXT,
    '@type': 'sc:Dataset',
    '@id': id,
    conformsTo: 'http://mlcommons.org/croissant/1.0',
    name: dataset.name,
    ...(dataset.description !== '' && { description: dataset.description }),
    ...(dataset.license !== null && { license: dataset.license }),
    ...(dataset.language.length > 0 && { inLanguage: dataset.language }),
    ...(dataset.tags.length > 0 && { keywords: dataset.tags }),
    url: `${address}/portal/v1/datasets/${id}`,
    version: `${version}.0.0`,
    ...{ dateCreated: dataset.create_time, dateModified: dataset.update_time, isAccessibleForFree: true },
    ...(dataset.digest !== null && { identifier: `sha256:${dataset.digest}` }),
    distribution: files.map(({ path, size_bytes, sha256 }) => ({
      '@type': 'cr:FileObject',
      '@id': path,
      name: path,
      contentSize: `${size_bytes} B`,
      contentUrl: `${address}/data/v1/data/dataset/${id}/version/${version}/download?path=${encodeURIComponent(path)}`,
      encodingFormat: encodingOf(path),
      ...(sha256 !== null && { sha256 }),
    })),
    // Of several files nobody says which has a column: rows are described where there is one.
    ...(first &&
      files.length === 1 &&
      columns.length > 0 && {
        recordSet: [
          {
            '@type': 'cr:RecordSet',
            '@id': 'rows',
            name: 'rows',
            field: columns.map(({ name, type }) => ({
              '@type': 'cr:Field',
              '@id': `rows/${name}`,
              name,
              dataType: typeOf(type),
              source: { fileObject: { '@id': first.path }, extract: { column: name } },
            })),
          },
        ],
      }),
  };
}
