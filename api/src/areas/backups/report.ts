// The findings of a restore: the objects that are back, and the differences of the cluster from the backup. Sentences for whoever restores.
export interface Findings {
  rows: number;
  made: number;
  alreadyThere: number;
  adoptedPods: number;
  /** In the cluster with another spec than in the backup; left as they are. */
  newer: string[];
  /** Other objects of these names, made after the backup; left as they are. */
  different: string[];
  /** In the cluster and not in the backup. */
  unknown: string[];
  /** Pods of the platform's that belong to no object any more. */
  strange: string[];
  lostPods: string[];
  lostVolumes: string[];
  lostImages: string[];
  lostFiles: string[];
  refused: { name: string; why: string }[];
}

export const noFindings = (): Findings => ({
  ...{ rows: 0, made: 0, alreadyThere: 0, adoptedPods: 0 },
  ...{ newer: [], different: [], unknown: [], strange: [], lostPods: [], lostVolumes: [], lostImages: [] },
  ...{ lostFiles: [], refused: [] },
});

type Listed = { [K in keyof Findings]: Findings[K] extends string[] ? K : never }[keyof Findings];

const LISTS: readonly (readonly [Listed, string])[] = [
  ['newer', 'differs from the backup and was left as it is'],
  ['different', 'is another object than the one in the backup, and was left as it is'],
  ['unknown', 'is newer than the backup and was left as it is: the database does not know it'],
  ['strange', 'is newer than the backup and belongs to nothing that was restored: look at it, then delete it'],
  ['lostPods', 'is gone: what ran there starts anew when the operator runs'],
  [
    'lostVolumes',
    'is gone, with what was on the volume: an instance gets an empty home by a hard reboot, a data disk none',
  ],
  ['lostImages', 'is not in the registry: what was saved there is lost unless its storage is restored'],
  [
    'lostFiles',
    'is not in the bucket for models: its version cannot be served or downloaded unless the bucket is restored',
  ],
];

/** One line each; a long list is cut. */
const MOST_LINES = 100;

export function sentencesOf(found: Findings): string[] {
  const { rows, made, alreadyThere, adoptedPods, refused } = found;
  const lines = [
    `restored ${rows} rows and ${made} objects; ${alreadyThere} objects were there already; ${adoptedPods} running Pods go on as before`,
  ];
  for (const [list, says] of LISTS) {
    const names = found[list];
    lines.push(...names.slice(0, MOST_LINES).map((name) => `${name} ${says}`));
    if (names.length > MOST_LINES) lines.push(`… and ${names.length - MOST_LINES} more that are like this`);
  }
  lines.push(...refused.map(({ name, why }) => `${name} was refused by the cluster: ${why}`));
  return lines;
}
