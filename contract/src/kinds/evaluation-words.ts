// An evaluation's sentences, in every language.
import * as en from '../words/en/evaluation.ts';
import { phases as enPhases } from '../words/en/evaluation-phases.ts';
import * as ja from '../words/ja/evaluation.ts';
import { phases as jaPhases } from '../words/ja/evaluation-phases.ts';
import { joined, kindWords } from '../words/join.ts';
import * as zh from '../words/zh/evaluation.ts';
import { phases as zhPhases } from '../words/zh/evaluation-phases.ts';

export const evaluationWords = kindWords('Evaluation', {
  en: { ...en, phases: enPhases },
  zh: { ...zh, phases: zhPhases },
  ja: { ...ja, phases: jaPhases },
});

/** Why an evaluator gave up, by its codes. */
export const EVALUATOR_PROBLEMS = joined('Evaluation.problems', { en: en.problems, zh: zh.problems, ja: ja.problems });

/** `status.progress.step`: what an evaluator is doing. */
export const EVALUATION_STEP_WORDS = joined('Evaluation.steps', { en: en.steps, zh: zh.steps, ja: ja.steps });

/** `metric` of a task. */
export const METRIC_WORDS = joined('Evaluation.metrics', { en: en.metrics, zh: zh.metrics, ja: ja.metrics });
