// The price of keeping models: a SKU that stands for a GiB over a month of 730 hours. Without a price, keeping them is free.

export const MODEL_STORAGE_SKU = 'model-storage';
export const HOURS_OF_A_STORED_MONTH = 730;
