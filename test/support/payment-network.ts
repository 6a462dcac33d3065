// A payment network at the wire, for tests: the protocol of billing/payments/README.md from the other side, with its memory of
// orders and refunds.
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type Keys, requireSigned, signatureOf } from '../../api/src/core/billing/payments/signed-messages.ts';

interface NetworkOrder {
  order: string;
  provider_id: string;
  state: 'created' | 'processing' | 'paid' | 'failed' | 'closed';
  amount: string;
  currency: string;
  reason?: string;
}

interface NetworkRefund {
  refund: string;
  provider_id: string;
  order: string;
  amount: string;
  state: 'processing' | 'done' | 'failed';
}

export class PaymentNetwork {
  readonly orders = new Map<string, NetworkOrder>();
  readonly refunds = new Map<string, NetworkRefund>();
  /** Whether answers are signed by a stranger. */
  isForged = false;
  refundsBecome: NetworkRefund['state'] = 'done';
  /** The provider's id of an order or a refund. */
  names = () => randomBytes(6).toString('hex');
  page = 'https://network.invalid/pay/';
  readonly #keys: Keys;
  readonly #now: () => number;
  readonly #server: Server;

  /** `keys`: its own side of them. `now`: milliseconds since 1970. */
  constructor(keys: Keys, now: () => number) {
    this.#keys = keys;
    this.#now = now;
    this.#server = createServer((req, res) => void this.#answer(req, res));
  }

  async listen(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await new Promise((resolve) => this.#server.once('listening', resolve));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#server.close(() => resolve()).closeAllConnections());
  }

  /** As it calls us. */
  callback(path: string, said: object, at = this.#now()): { body: Buffer; headers: Record<string, string> } {
    const body = Buffer.from(JSON.stringify({ event: randomBytes(6).toString('hex'), ...said }));
    return { body, headers: this.#signed(`POST ${path}`, body, at) };
  }

  #signed(target: string, body: Buffer, at = this.#now()): Record<string, string> {
    const envelope = { target, timestamp: `${Math.floor(at / 1000)}`, nonce: randomBytes(8).toString('hex'), body };
    return {
      'content-type': 'application/json',
      'gantry-timestamp': envelope.timestamp,
      'gantry-nonce': envelope.nonce,
      'gantry-signature': this.isForged ? 'Zm9yZ2Vk' : signatureOf(this.#keys, envelope),
    };
  }

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const body = await buffer(req);
    const path = req.url ?? '';
    const header = (name: string) => `${req.headers[name] ?? ''}`;
    const said = { timestamp: header('gantry-timestamp'), nonce: header('gantry-nonce'), body };
    const reply = (status: number, content: object | undefined) => {
      const bytes = Buffer.from(JSON.stringify(content ?? { error: status }));
      res.writeHead(status, this.#signed('', bytes)).end(bytes);
    };
    try {
      requireSigned(
        this.#keys,
        { target: `${req.method} ${path}`, ...said },
        header('gantry-signature'),
        this.#now() / 1000,
      );
    } catch {
      return reply(401, undefined);
    }
    const [, , kind, id = '', verb] = path.split('/');
    const content = body.length > 0 ? JSON.parse(body.toString()) : {};
    if (req.method === 'GET') {
      const found = (kind === 'orders' ? this.orders : this.refunds).get(id);
      return reply(found ? 200 : 404, found);
    }
    if (kind === 'orders' && verb === 'close') return reply(200, this.#close(id));
    return reply(200, kind === 'orders' ? this.#order(content) : this.#refund(content));
  }

  #order({ order, amount, currency }: Pick<NetworkOrder, 'order' | 'amount' | 'currency'>) {
    const known = this.orders.get(order);
    const made = known ?? {
      order,
      amount,
      currency,
      provider_id: this.names(),
      state: 'created' as const,
    };
    this.orders.set(order, made);
    return { ...made, pay_url: `${this.page}${made.provider_id}` };
  }

  #close(id: string) {
    const order = this.orders.get(id);
    if (order?.state === 'created') order.state = 'closed';
    return order;
  }

  #refund({ refund, order, amount }: Pick<NetworkRefund, 'refund' | 'order' | 'amount'>) {
    const known = this.refunds.get(refund);
    const made = known ?? {
      refund,
      order,
      amount,
      provider_id: this.names(),
      state: this.refundsBecome,
    };
    this.refunds.set(refund, made);
    return made;
  }
}
