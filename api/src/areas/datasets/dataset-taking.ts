// What a dataset takes of a source: all of it, or it says why not.
import { MOST_DATASET_FILES } from '@gantry/contract/areas/datasets/dataset-facets.ts';
import { MOST_DATASET_FILE_BYTES } from '@gantry/contract/areas/datasets/datasets.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { Taking } from '../../core/files/sources/taken.ts';

/** What git keeps in a repository of a hub. */
const GIT = /(^|\/)\.git[^/]*(\/|$)/;

export const DATASET_TAKING: Taking = {
  mostFiles: MOST_DATASET_FILES,
  mostFileBytes: MOST_DATASET_FILE_BYTES,
  isLeftOut: (path, source) => source === 'hub' && GIT.test(path),
  strangeNames: 'refuse',
  isEnough: (files) => files.length > 0,
  empty: (_, what) => problem('dataset_source_empty', { what }),
};
