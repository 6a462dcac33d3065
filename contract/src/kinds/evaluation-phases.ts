// The names of an evaluation's phases. Apart from the schema, because lists name them and need no schema.
import { phases as en } from '../words/en/evaluation-phases.ts';
import { phases as ja } from '../words/ja/evaluation-phases.ts';
import { joined } from '../words/join.ts';
import { phases as zh } from '../words/zh/evaluation-phases.ts';

export const evaluationPhases = joined('Evaluation.phases', { en, zh, ja });
