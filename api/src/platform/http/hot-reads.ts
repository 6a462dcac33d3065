// Reads that bypass Express: a console that follows its tables sends little else, and Express alone costs more than such a read.
// Everything that is unknown here, such as other methods and invalid paths, goes to Express, which answers all reads in the same
// way. Row C2 of `make bench` measures the savings.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse as parseQuery } from 'node:querystring';
import { addressOf, type Trusts } from './address-of.ts';
import type { Runnable } from './routes-of.ts';
import type { Run } from './run-route.ts';

/** One step of a path: words go before the parameter. */
interface Step {
  words: Map<string, Step>;
  parameter: Step | undefined;
  end: { run: Run; names: readonly string[] } | undefined;
}

export interface HotParts {
  runnables: readonly Runnable[];
  /** The headers that Express's middleware sets on answers, by the request's Origin. */
  headersFor(origin: string | undefined): readonly (readonly [name: string, value: string])[];
  trusts: Trusts;
}

const BASE = '/api/';

/** Says whether it took the request. */
export function hotReads({ runnables, headersFor, trusts }: HotParts) {
  const root = newStep();
  for (const { route, run } of runnables) if (route.method === 'GET') add(root, route.path.slice(1).split('/'), run);

  return (req: IncomingMessage, res: ServerResponse): boolean => {
    const { url = '' } = req;
    if (req.method !== 'GET' || !url.startsWith(BASE)) return false;
    const question = url.indexOf('?');
    const path = (question < 0 ? url.slice(BASE.length) : url.slice(BASE.length, question)).replace(/\/$/, '');
    const values: string[] = [];
    const found = find(root, path.split('/'), 0, values);
    const params = found && paramsOf(found.names, values);
    if (!found || !params) return false;
    for (const [name, value] of headersFor(req.headers.origin)) res.setHeader(name, value);
    const query = question < 0 ? NONE : parseQuery(url.slice(question + 1));
    void found.run({ req, res, params, query, ip: addressOf(req, trusts) });
    return true;
  };
}

const NONE = {};

const newStep = (): Step => ({ words: new Map(), parameter: undefined, end: undefined });

function add(root: Step, parts: readonly string[], run: Run): void {
  let step = root;
  const names: string[] = [];
  for (const part of parts) {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined) {
      const next = step.words.get(part) ?? newStep();
      step.words.set(part, next);
      step = next;
    } else {
      names.push(name);
      step.parameter ??= newStep();
      step = step.parameter;
    }
  }
  step.end = { run, names };
}

function find(step: Step, parts: readonly string[], at: number, values: string[]): Step['end'] {
  const part = parts[at];
  if (part === undefined) return step.end;
  const word = step.words.get(part);
  const found = word && find(word, parts, at + 1, values);
  if (found || !step.parameter || part === '') return found;
  values.push(part);
  const below = find(step.parameter, parts, at + 1, values);
  if (!below) values.pop();
  return below;
}

/** Undefined where an escape is none. */
function paramsOf(names: readonly string[], values: readonly string[]): Record<string, string> | undefined {
  const params: Record<string, string> = {};
  try {
    names.forEach((name, index) => {
      const value = values[index] ?? '';
      params[name] = value.includes('%') ? decodeURIComponent(value) : value;
    });
    return params;
  } catch {
    return undefined;
  }
}
