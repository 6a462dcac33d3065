// What `Tables` answers, parsed: the gateway passes it on as it is.
import type { TablePage, WholeCell } from '../tables.ts';

const parsed = (json: Uint8Array): unknown => JSON.parse(Buffer.from(json).toString());

export const pageIn = (json: Uint8Array): TablePage => parsed(json) as TablePage;
export const cellIn = (json: Uint8Array | undefined): WholeCell | undefined => json && (parsed(json) as WholeCell);
