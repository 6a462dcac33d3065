// The folders of other clusters' regions: what each must have, and what it may say.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { BadConfig, labelValue } from '@gantry/kube/options.ts';
import { readText } from '../platform/config.ts';

export interface OtherRegion {
  id: string;
  label: string;
  kubeconfig: string;
  isPlace: boolean;
}

/** The only allowed text of a file `places`. */
const PLACES = 'instances';

/** None without a folder. Throws BadConfig. */
export function otherRegions(dir: string, own: string): OtherRegion[] {
  if (dir === '') return [];
  return regionsIn(dir, own).map((id) => {
    const label = join(dir, id, 'label');
    return {
      id,
      label: existsSync(label) ? readText(label) : id,
      kubeconfig: join(dir, id, 'kubeconfig'),
      isPlace: isPlace(join(dir, id, 'places')),
    };
  });
}

function isPlace(file: string): boolean {
  if (!existsSync(file)) return false;
  const said = readText(file).trim();
  if (said === PLACES) return true;
  throw new BadConfig(`--other-clusters-dir: "${file}" says "${said}": only "${PLACES}" can be placed there`);
}

function regionsIn(dir: string, own: string): string[] {
  const refuse = (why: string) => new BadConfig(`--other-clusters-dir: ${why}`);
  if (!existsSync(dir)) throw refuse(`there is no folder "${dir}"`);
  // Names that begin with two dots are Kubernetes' own in mounted Secrets.
  const regions = readdirSync(dir).filter((name) => !name.startsWith('..'));
  for (const id of regions) {
    if (!labelValue.safeParse(id).success) throw refuse(`"${id}" is no region: 1 to 63 letters, digits, -, _ and .`);
    if (id === own) throw refuse(`"${id}" is this gateway's own region`);
    if (!existsSync(join(dir, id, 'kubeconfig'))) throw refuse(`"${join(dir, id)}" has no kubeconfig`);
  }
  return regions.toSorted();
}
