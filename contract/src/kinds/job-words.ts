// A job's sentences, in every language.
import * as en from '../words/en/job.ts';
import { phases as enPhases } from '../words/en/job-phases.ts';
import * as ja from '../words/ja/job.ts';
import { phases as jaPhases } from '../words/ja/job-phases.ts';
import { joined, kindWords } from '../words/join.ts';
import * as zh from '../words/zh/job.ts';
import { phases as zhPhases } from '../words/zh/job-phases.ts';

export const jobWords = kindWords('Job', {
  en: { ...en, phases: enPhases },
  zh: { ...zh, phases: zhPhases },
  ja: { ...ja, phases: jaPhases },
});

/** `status.workers[].phase`. */
export const WORKER_PHASES = joined('Job.workers', { en: en.workers, zh: zh.workers, ja: ja.workers });

/** Why a run was begun. */
export const RUN_CAUSE_WORDS = joined('Job.causes', { en: en.causes, zh: zh.causes, ja: ja.causes });

/** The basis of an estimated start. */
export const BASIS_WORDS = joined('Job.bases', { en: en.bases, zh: zh.bases, ja: ja.bases });
