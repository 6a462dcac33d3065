// Whether a version of a model can be the base of fine-tuning: an adapter cannot, and neither can what is not SafeTensors.
import type { ModelVersionView } from '@gantry/contract/areas/models/models.ts';

type Version = Pick<ModelVersionView, 'state' | 'format' | 'files'>;

export const isAdapter = ({ files }: Pick<ModelVersionView, 'files'>): boolean =>
  files.some(({ path }) => path === 'adapter_config.json');

export const canBeTuned = (version: Version): boolean =>
  version.state === 'ready' && version.format === 'safetensors' && !isAdapter(version);
