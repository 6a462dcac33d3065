// The names of a data processing task's phases. Apart from the schema, because lists name them and need no schema.
import { phases as en } from '../words/en/data-process-phases.ts';
import { phases as ja } from '../words/ja/data-process-phases.ts';
import { joined } from '../words/join.ts';
import { phases as zh } from '../words/zh/data-process-phases.ts';

export const dataProcessPhases = joined('DataProcess.phases', { en, zh, ja });
