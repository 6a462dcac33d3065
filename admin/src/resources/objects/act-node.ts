// Permission nodes of the commands on a kind's objects: the ids of their routes (contract/src/areas/kinds/admin-computing.ts).
const pascal = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

export const actNodeOf = (name: string): string => `adminAct${pascal(name)}`;
export const batchNodeOf = (name: string): string => `adminBatch${pascal(name)}`;
