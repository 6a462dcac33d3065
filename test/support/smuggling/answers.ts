// Answers of a program of which a part may be taken for the answer to somebody else. `EVIL` must reach nobody but the one whose request was
// answered.
import type { Script } from './program.ts';

const EVIL = 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nEVIL';
const says = (...lines: readonly string[]): string => lines.join('\r\n');

export interface HostileAnswer extends Script {
  method?: 'GET' | 'HEAD';
}

export const ANSWERS: Readonly<Record<string, HostileAnswer>> = {
  'an answer behind the answer': { pieces: [says('HTTP/1.1 200 OK', 'Content-Length: 2', '', 'ok') + EVIL] },
  'an answer after the answer': { pieces: [says('HTTP/1.1 200 OK', 'Content-Length: 2', '', 'ok'), EVIL] },
  'an answer long after the answer': {
    pieces: [says('HTTP/1.1 200 OK', 'Content-Length: 2', '', 'ok'), '', '', '', '', EVIL],
  },
  'half an answer behind the answer': {
    pieces: [says('HTTP/1.1 200 OK', 'Content-Length: 2', '', 'okHTTP/1.1 200 OK', 'X: EVIL')],
  },
  'a byte too much': { pieces: [says('HTTP/1.1 200 OK', 'Content-Length: 2', '', 'ok!')] },
  'a byte too much, later': { pieces: [says('HTTP/1.1 200 OK', 'Content-Length: 2', '', 'ok'), '\n'] },
  'an answer behind the last chunk': {
    pieces: [says('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked', '', '2', 'ok', '0', '', '') + EVIL],
  },
  'an answer after the last chunk': {
    pieces: [says('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked', '', '2', 'ok', '0', '', ''), EVIL],
  },
  'a length and chunks': {
    pieces: [
      says('HTTP/1.1 200 OK', 'Content-Length: 12', 'Transfer-Encoding: chunked', '', '2', 'ok', '0', '', '') + EVIL,
    ],
  },
  'chunks and a length': {
    pieces: [
      says('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked', 'Content-Length: 0', '', '2', 'ok', '0', '', '') + EVIL,
    ],
  },
  'two lengths': { pieces: [says('HTTP/1.1 200 OK', 'Content-Length: 2', 'Content-Length: 40', '', 'ok') + EVIL] },
  'two equal lengths': { pieces: [says('HTTP/1.1 200 OK', 'Content-Length: 2', 'Content-Length: 2', '', 'ok') + EVIL] },
  'a list of lengths': { pieces: [says('HTTP/1.1 200 OK', 'Content-Length: 2, 40', '', 'ok') + EVIL] },
  'a length with a sign': { pieces: [says('HTTP/1.1 200 OK', 'Content-Length: +2', '', 'ok') + EVIL] },
  'a negative length': { pieces: [says('HTTP/1.1 200 OK', 'Content-Length: -2', '', 'ok') + EVIL] },
  'a length of 64 bits and more': {
    pieces: [says('HTTP/1.1 200 OK', 'Content-Length: 18446744073709551618', '', 'ok') + EVIL],
    closes: true,
  },
  'a length that Connection names': {
    pieces: [says('HTTP/1.1 200 OK', 'Content-Length: 2', 'Connection: content-length', '', 'ok') + EVIL],
  },
  'chunks that Connection names': {
    pieces: [
      says('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked', 'Connection: transfer-encoding', '', '0', '', '') + EVIL,
    ],
  },
  'another coding': {
    pieces: [says('HTTP/1.1 200 OK', 'Transfer-Encoding: xchunked', 'Content-Length: 2', '', 'ok') + EVIL],
    closes: true,
  },
  'a coding after chunks': {
    pieces: [says('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked, identity', '', '2', 'ok', '0', '', '') + EVIL],
    closes: true,
  },
  'chunks twice': {
    pieces: [
      says('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked', 'Transfer-Encoding: chunked', '', '0', '', '') + EVIL,
    ],
    closes: true,
  },
  'a chunk with a sign': {
    pieces: [says('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked', '', '+2', 'ok', '0', '', '') + EVIL],
  },
  'a chunk in 0x': {
    pieces: [says('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked', '', '0x2', 'ok', '0', '', '') + EVIL],
  },
  'a chunk with bare newlines': {
    pieces: [`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\nok\n0\n\n${EVIL}`],
  },
  'a chunk longer than it says': {
    pieces: [says('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked', '', '1', 'ok', '0', '', '') + EVIL],
  },
  'a trailer that is an answer': {
    pieces: [says('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked', '', '0', `X: y\n${EVIL}`, '', '')],
  },
  'a folded length': { pieces: [says('HTTP/1.1 200 OK', 'X: y', ' Content-Length: 2', '', 'ok') + EVIL], closes: true },
  'a blank before the colon': {
    pieces: [says('HTTP/1.1 200 OK', 'Content-Length : 2', '', 'ok') + EVIL],
    closes: true,
  },
  'a bare newline in the head': { pieces: [`HTTP/1.1 200 OK\nContent-Length: 2\n\nok${EVIL}`], closes: true },
  'a NUL in the head': { pieces: [says('HTTP/1.1 200 OK', 'X: \x00', 'Content-Length: 2', '', 'ok') + EVIL] },
  'a name of no letters': { pieces: [says('HTTP/1.1 200 OK', ': x', 'Content-Length: 2', '', 'ok') + EVIL] },
  '204 with a body': { pieces: [says('HTTP/1.1 204 No Content', 'Content-Length: 45', '', EVIL)] },
  '204 with a body, later': { pieces: [says('HTTP/1.1 204 No Content', 'Content-Length: 45', '', ''), EVIL] },
  '204 in chunks': {
    pieces: [says('HTTP/1.1 204 No Content', 'Transfer-Encoding: chunked', '', ''), `2d\r\n${EVIL}\r\n0\r\n\r\n`],
  },
  '304 with a body': { pieces: [says('HTTP/1.1 304 Not Modified', 'Content-Length: 45', '', EVIL)] },
  '304 with a body, later': { pieces: [says('HTTP/1.1 304 Not Modified', 'Content-Length: 45', '', ''), EVIL] },
  'HEAD with a body': { method: 'HEAD', pieces: [says('HTTP/1.1 200 OK', 'Content-Length: 45', '', EVIL)] },
  'HEAD with a body, later': { method: 'HEAD', pieces: [says('HTTP/1.1 200 OK', 'Content-Length: 45', '', ''), EVIL] },
  'HEAD in chunks': { method: 'HEAD', pieces: [says('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked', '', ''), EVIL] },
  'continue, then an answer and another': {
    pieces: [`HTTP/1.1 100 Continue\r\n\r\n${says('HTTP/1.1 200 OK', 'Content-Length: 2', '', 'ok')}${EVIL}`],
  },
  'continue with a length': { pieces: [says('HTTP/1.1 100 Continue', 'Content-Length: 45', '', EVIL) + EVIL] },
  'hints without end': {
    pieces: ['HTTP/1.1 103 Early Hints\r\nLink: </EVIL>\r\n\r\n'.repeat(200) + EVIL],
    closes: true,
  },
  'a switch that nobody asked for': {
    pieces: [`HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n${EVIL}`],
  },
  'HTTP/1.0 that stays': {
    pieces: [says('HTTP/1.0 200 OK', 'Connection: keep-alive', 'Content-Length: 2', '', 'ok') + EVIL],
  },
  'HTTP/1.0 in chunks': {
    pieces: [says('HTTP/1.0 200 OK', 'Transfer-Encoding: chunked', 'Content-Length: 2', '', 'ok') + EVIL],
    closes: true,
  },
  'HTTP/0.9': { pieces: [`ok\r\n${EVIL}`], closes: true },
  'no length': { pieces: [says('HTTP/1.1 200 OK', '', 'ok'), EVIL], closes: true },
  'half a body': { pieces: [says('HTTP/1.1 200 OK', 'Content-Length: 100', '', 'ok')], closes: true },
  'half a chunk': { pieces: [says('HTTP/1.1 200 OK', 'Transfer-Encoding: chunked', '', '50', 'ok')], closes: true },
};
