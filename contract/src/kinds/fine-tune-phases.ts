// The names of a fine-tuning task's phases. Apart from the schema, because lists name them and need no schema.
import { phases as en } from '../words/en/fine-tune-phases.ts';
import { phases as ja } from '../words/ja/fine-tune-phases.ts';
import { joined } from '../words/join.ts';
import { phases as zh } from '../words/zh/fine-tune-phases.ts';

export const fineTunePhases = joined('FineTune.phases', { en, zh, ja });
