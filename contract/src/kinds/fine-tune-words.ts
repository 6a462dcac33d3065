// A fine-tuning task's sentences, in every language.
import * as en from '../words/en/fine-tune.ts';
import { phases as enPhases } from '../words/en/fine-tune-phases.ts';
import * as ja from '../words/ja/fine-tune.ts';
import { phases as jaPhases } from '../words/ja/fine-tune-phases.ts';
import { joined, kindWords } from '../words/join.ts';
import * as zh from '../words/zh/fine-tune.ts';
import { phases as zhPhases } from '../words/zh/fine-tune-phases.ts';

export const fineTuneWords = kindWords('FineTune', {
  en: { ...en, phases: enPhases },
  zh: { ...zh, phases: zhPhases },
  ja: { ...ja, phases: jaPhases },
});

/** Why a trainer gave up, by its codes. */
export const TRAINER_PROBLEMS = joined('FineTune.problems', { en: en.problems, zh: zh.problems, ja: ja.problems });

/** `status.progress.step`: what a trainer is doing. */
export const TRAINING_STEP_WORDS = joined('FineTune.steps', { en: en.steps, zh: zh.steps, ja: ja.steps });

/** `spec.objective`. */
export const OBJECTIVE_WORDS = joined('FineTune.objectives', {
  en: en.objectives,
  zh: zh.objectives,
  ja: ja.objectives,
});

/** `spec.method`. */
export const METHOD_WORDS = joined('FineTune.methods', { en: en.methods, zh: zh.methods, ja: ja.methods });
