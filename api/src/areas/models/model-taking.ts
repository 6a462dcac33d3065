// What a model takes of a hub or a disk: weights, and nothing that can run.
import { MOST_FILE_BYTES, MOST_FILES } from '@gantry/contract/areas/models/models.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import type { Taking } from '../../core/files/sources/taken.ts';
import { isPickleName } from './formats/pickle.ts';

/** Other frameworks' weights, and what git keeps there. */
const OF_HUBS = /(^|\/)(pytorch_model|adapter_model|training_args)[^/]*\.bin$|\.(h5|msgpack|ot)$|(^|\/)\.git/i;

export const MODEL_TAKING: Taking = {
  mostFiles: MOST_FILES,
  mostFileBytes: MOST_FILE_BYTES,
  isLeftOut: (path, source) => isPickleName(path) || (source === 'hub' && OF_HUBS.test(path)),
  strangeNames: 'leave out',
  isEnough: (files) => files.some(({ path }) => /\.(safetensors|gguf)$/i.test(path)),
  empty: (source, what) =>
    source === 'hub' ? problem('model_hub_empty', { repository: what }) : problem('model_disk_empty', { folder: what }),
};
