export const LIST = '/data/processing';

/** The page of one task. */
export const pathOf = ({ id }: { id: string }): string => `${LIST}/${id}`;
