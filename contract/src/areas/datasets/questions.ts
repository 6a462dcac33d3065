// The test set of a knowledge base: questions, and what a passage that answers each has. How many of them a version finds is counted by
// whoever searches, so that it is paid as any search.
import * as z from 'zod';
import { plainLines } from '../../fields/plain-text.ts';
import { defineRoute } from '../../http/define-route.ts';

export const MOST_TEST_QUESTIONS = 100;

export const testQuestionsBody = z.strictObject({
  questions: z
    .array(
      z.strictObject({
        question: plainLines(1000).min(1),
        expected: plainLines(500)
          .min(1)
          .meta({ description: 'The name of the file, or words of the passage, whatever their case.' }),
      }),
    )
    .max(MOST_TEST_QUESTIONS),
});
const testQuestions = z.object({
  questions: z.array(z.object({ question: z.string(), expected: z.string() })),
});
export type TestQuestion = z.output<typeof testQuestions>['questions'][number];

const params = z.object({ id: z.string().regex(/^[a-z0-9-]{1,63}$/) });
const tag = 'data';
const path = '/data/v1/data/dataset/{id}/question';

export const DATASET_QUESTION_ROUTES = {
  getTestQuestions: defineRoute({
    id: 'getTestQuestions',
    method: 'GET',
    path,
    tag,
    summary: 'The test set of a knowledge base: questions, and what a passage that answers each has.',
    access: { right: 'view' },
    params,
    answer: { result: testQuestions },
    problems: [],
  }),
  setTestQuestions: defineRoute({
    id: 'setTestQuestions',
    method: 'PUT',
    path,
    tag,
    summary: 'Replaces the test set.',
    access: { right: 'use' },
    params,
    body: testQuestionsBody,
    answer: { result: testQuestions },
    problems: [],
    // Three languages' letters take three bytes each.
    bodyBytes: 1024 * 1024,
  }),
};
