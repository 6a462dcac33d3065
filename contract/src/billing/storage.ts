// What owns stored files, and the price of keeping them: a SKU for each kind of owner, which stands for a GiB over a month of 730
// hours. Without a price, keeping them is free.

/** Bytes that several kinds have are metered once, as the first of them. */
export const FILE_OWNERS = ['model', 'dataset', 'task'] as const;
export type FileOwner = (typeof FILE_OWNERS)[number];

export const storageSku = (owner: FileOwner) => `${owner}-storage` as const;
export const isStorageSku = (sku: string): boolean => FILE_OWNERS.some((owner) => storageSku(owner) === sku);
export const HOURS_OF_A_STORED_MONTH = 730;
