// One line of JSON per event on standard output, for machines that gather logs.
import pino, { type Logger } from 'pino';

/**
 * Written at once: what pino holds back it writes when the process ends, and where nobody reads any more it would try that
 * for ever, so that the process never ended.
 */
export const openLog = (level: string): Logger =>
  pino({ level, base: { pid: process.pid } }, pino.destination({ fd: 1, sync: true }));
