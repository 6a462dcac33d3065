// A request to a model as its chat shows it. Whoever reads an answer to its end asks at once: the rows of ended requests may still wait
// in this gateway, and are written first.
import type { Database } from '../../platform/db/open.ts';
import type { ChatRouteParts } from './chat-routes.ts';
import type { TokenMeter } from './token-meter.ts';
import { readRequest } from './usage-reads.ts';

export const readEndedRequest =
  (db: Database, usage: Pick<TokenMeter, 'whenWritten'>): ChatRouteParts['request'] =>
  async (who, id) => {
    await usage.whenWritten(id).catch(() => undefined);
    return readRequest(db, who, id);
  };
