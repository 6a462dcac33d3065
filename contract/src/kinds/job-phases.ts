// The names of a job's phases. Apart from the schema, because lists name them and need no schema.
import { phases as en } from '../words/en/job-phases.ts';
import { phases as ja } from '../words/ja/job-phases.ts';
import { joined } from '../words/join.ts';
import { phases as zh } from '../words/zh/job-phases.ts';

export const jobPhases = joined('Job.phases', { en, zh, ja });
