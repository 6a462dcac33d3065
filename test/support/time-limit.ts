// Gives each group of tests the time limit that jest.config.js names: Jest reads `testTimeout` only for a whole run.
import { jest } from '@jest/globals';

declare global {
  var testLimitMs: number;
}

jest.setTimeout(globalThis.testLimitMs);
