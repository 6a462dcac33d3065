// One line of JSON per event on standard output, for machines that gather logs.
import pino, { type Logger } from 'pino';

/**
 * Written synchronously: pino flushes buffered lines at exit, and if nobody reads standard output any more it would retry forever
 * and the process would never end.
 */
export const openLog = (level: string): Logger =>
  pino({ level, base: { pid: process.pid } }, pino.destination({ fd: 1, sync: true }));
