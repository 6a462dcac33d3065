// The faults that a command or a test has given cards: a file of the cluster, read at every look.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import type { Layout } from '../layout.ts';
import type { Fault } from './gpu-cards.ts';

export type Faults = Readonly<Record<string, Fault>>;

const fileOf = ({ dir }: Layout): string => `${dir}/metrics/gpu-faults.json`;

export async function readFaults(cluster: Layout): Promise<Faults> {
  const text = await readFile(fileOf(cluster), 'utf8').catch(() => '{}');
  return JSON.parse(text);
}

/** By a card's UUID. An empty fault makes it sound again. */
export async function setFault(cluster: Layout, uuid: string, fault: Fault): Promise<void> {
  const file = fileOf(cluster);
  await mkdir(`${cluster.dir}/metrics`, { recursive: true });
  await writeFile(`${file}.new`, JSON.stringify({ ...(await readFaults(cluster)), [uuid]: fault }));
  await rename(`${file}.new`, file);
}
