// What pages need of datasets beside their types. It stands apart from the schemas, which weigh more than a page.
export const DATASET_TYPES = ['file', 'qa', 'rag', 'prompt'] as const;
export type DatasetType = (typeof DATASET_TYPES)[number];
export const MOST_DATASET_FILES = 20_000;
/** In one call: a body has at most ten thousand values. */
export const MOST_FILES_AT_ONCE = 1000;
