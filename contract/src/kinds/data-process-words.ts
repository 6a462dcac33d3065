// A data processing task's sentences, in every language.
import * as en from '../words/en/data-process.ts';
import { phases as enPhases } from '../words/en/data-process-phases.ts';
import * as ja from '../words/ja/data-process.ts';
import { phases as jaPhases } from '../words/ja/data-process-phases.ts';
import { joined, kindWords } from '../words/join.ts';
import * as zh from '../words/zh/data-process.ts';
import { phases as zhPhases } from '../words/zh/data-process-phases.ts';

export const dataProcessWords = kindWords('DataProcess', {
  en: { ...en, phases: enPhases },
  zh: { ...zh, phases: zhPhases },
  ja: { ...ja, phases: jaPhases },
});

/** Why a unit failed or was skipped, by the worker's codes (data-worker/gantry_worker/task/outputs.py). */
export const UNIT_REASONS = joined('DataProcess.units', { en: en.unitReasons, zh: zh.unitReasons, ja: ja.unitReasons });

/** What rows were removed for, as labels. */
export const REMOVED_WORDS = joined('DataProcess.removed', { en: en.removed, zh: zh.removed, ja: ja.removed });

/** Kinds of personal data (data-worker/gantry_worker/task/personal.py). */
export const MASKED_WORDS = joined('DataProcess.masked', { en: en.masked, zh: zh.masked, ja: ja.masked });

/** Why a worker gave up, by its codes. */
export const WORKER_PROBLEMS = joined('DataProcess.problems', { en: en.problems, zh: zh.problems, ja: ja.problems });

/** `spec.type`. */
export const PROCESS_TYPE_WORDS = joined('DataProcess.types', { en: en.types, zh: zh.types, ja: ja.types });
