/** Heights of a table's lines. */
export const HEAD_PX = 44;
export const ROW_PX = 52;
