// What datasets ask of an organisation's data server, and what it says of a table: shapes are checked where it is asked.
import type { ProfileStep } from '@gantry/contract/areas/datasets/tables.ts';
import type { FileRow } from '../../core/files/files.ts';
import type { TablePart } from '../../platform/db/schema/datasets.ts';

export interface ColumnFacts {
  name: string;
  type: string;
  nulls: number;
  distinct?: number;
  min?: number | string | null;
  max?: number | string | null;
  mean?: number | null;
  deviation?: number | null;
  quartiles?: (number | null)[] | null;
  shortest?: number | null;
  longest?: number | null;
  meanLength?: number | null;
  histogram?: { edges: (number | string)[]; counts: number[] };
  lengths?: { edges: (number | string)[]; counts: number[] };
  values?: { value: string; count: number }[];
  valuesMore?: number;
}

export interface TableFacts {
  rows: number;
  rejected: number;
  rejectedKept: number;
  duplicates: number;
  /** Rows by ISO 639, of a sample. */
  languages: Readonly<Record<string, number>>;
  columns: readonly ColumnFacts[];
  isCut: boolean;
  /** Paths are the data server's. */
  parts: readonly TablePart[];
  /** `problem`: why it could not be read. */
  files: readonly { name: string; problem?: { sentence: string } }[];
}

export interface ToRead {
  /** A folder of the data server's. */
  out: string;
  inputs: readonly { name: string; digest: string; sizeBytes: number }[];
}

export interface Cells {
  columns: { name: string; type: string }[];
  rows: unknown[][];
  /** Row, column and length of those that are longer than shown. */
  cut: [number, number, number][];
}

export interface Filter {
  column: string;
  atLeast?: number | string;
  below?: number | string;
  equals?: number | string | boolean;
  lengthAtLeast?: number;
  lengthBelow?: number;
  isNull?: boolean;
}

export interface RowDifference {
  rows: { added: number; removed: number; changed: number; same: number; before: number; after: number };
  columns: {
    added: Cells['columns'];
    removed: Cells['columns'];
    changed: { name: string; before: string; after: string }[];
  };
  changedColumns: Readonly<Record<string, number>>;
  added: Cells;
  removed: Cells;
  changed: Cells;
}

type Part = Pick<TablePart, 'sha256' | 'bytes'>;
export type Tell = (progress: { step: ProfileStep; done?: number; of?: number }) => void;

/** Problems are those of the contract; `SourceAway` where the server may answer later. */
export interface ReadsData {
  /** The same wish again answers with what is there. Throws dataset_profile_failed, SourceAway. */
  profile(organizationId: string, wish: ToRead, tell: Tell, signal: AbortSignal): Promise<TableFacts>;
  /** A file of its own, from a place on. Throws SourceAway. */
  part(organizationId: string, path: string, from: number, signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** Removes what a wish has left there. Never rejects. */
  forget(organizationId: string, wish: ToRead): Promise<void>;
  /** Throws dataset_preparing, dataset_query_refused, dataset_query_too_much, as the others do. */
  query(
    organizationId: string,
    tables: Readonly<Record<string, readonly Part[]>>,
    sql: string,
    signal: AbortSignal,
  ): Promise<Cells & { more: boolean }>;
  find(
    organizationId: string,
    table: readonly Part[],
    asked: { filters: readonly Filter[]; sort?: { column: string; descending: boolean }; from: number; limit: number },
    signal: AbortSignal,
  ): Promise<Cells & { numbers: number[]; total: number }>;
  search(
    organizationId: string,
    table: readonly Part[],
    asked: { text: string; columns?: readonly string[]; from: number; limit: number },
    signal: AbortSignal,
  ): Promise<Cells & { numbers: number[]; next: number | null }>;
  diff(
    organizationId: string,
    before: readonly Part[],
    after: readonly Part[],
    asked: { key?: readonly string[]; limit: number },
    signal: AbortSignal,
  ): Promise<RowDifference>;
}

/** Files of the table of a version have an owner of their own. */
export const tableOwnerId = (versionId: string): string => `${versionId}.table`;

export const toRead = (versionId: string, files: readonly FileRow[]): ToRead => ({
  out: `out/${versionId}`,
  inputs: files.map(({ path, digest, sizeBytes }) => ({ name: path, digest: digest ?? '', sizeBytes })),
});
