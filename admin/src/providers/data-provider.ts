// The data of react-admin: ra-data-simple-rest over /api/admin. A call's reason travels in its data, or of a deletion in a header;
// a refusal is shown at its field.

import type { Api } from '@gantry/ui/client/api.ts';
import type { ApiProblem } from '@gantry/ui/client/api-problem.ts';
import simpleRestProvider from 'ra-data-simple-rest';
import { type DataProvider, HttpError, type Options } from 'react-admin';
import { type Conflict, conflicts, type Row } from '../parts/conflicts.ts';
import { tableNameOf } from '../tables.ts';
import { problemOf } from './problem-in.ts';

const BASE = '/api/admin';

/** Calls of our API besides lists and rows. */
export interface AdminCalls {
  /** A call below /api/admin; rejects with an HttpError whose message is the server's sentence. */
  ask<Answer = unknown>(
    path: string,
    options?: { method?: string; body?: unknown; headers?: Record<string, string>; signal?: AbortSignal },
  ): Promise<Answer>;
  /** The bare answer, such as a file. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
}
export type AdminData = DataProvider & AdminCalls;

/** `settle`: what is saved instead where somebody else has changed the row; undefined: nothing. */
export function adminData(
  api: Api,
  settle: (conflict: Conflict) => Promise<Row | undefined> = (conflict) => conflicts.ask(conflict),
): AdminData {
  const send = async (url: string, init: RequestInit): Promise<Response> => {
    const headers = new Headers(init.headers);
    for (const [name, value] of Object.entries(api.headers())) headers.set(name, value);
    if (typeof init.body === 'string' && !headers.has('Content-Type')) headers.set('Content-Type', 'application/json');
    const response = await fetch(url, { ...init, method: init.method ?? 'GET', headers }).catch((error: unknown) => {
      if (init.signal?.aborted) throw error;
      throw httpError(api.failure('network'));
    });
    if (!response.ok) throw httpError(await api.problemOf(response));
    return response;
  };
  const fetchJson = async (url: string, { user: _, ...options }: Options = {}) => {
    const response = await send(url, options);
    const body = await response.text();
    return { status: response.status, headers: response.headers, body, json: body === '' ? {} : JSON.parse(body) };
  };
  const rest = simpleRestProvider(BASE, fetchJson);
  const at = (resource: string, id: unknown) => `${BASE}/${tableNameOf(resource)}/${encodeURIComponent(String(id))}`;

  return {
    ...rest,
    supportAbortSignal: true,
    getList: (resource, params) => rest.getList(tableNameOf(resource), params),
    getOne: (resource, params) => rest.getOne(tableNameOf(resource), params),
    getMany: (resource, params) => rest.getMany(tableNameOf(resource), params),
    getManyReference: (resource, params) => rest.getManyReference(tableNameOf(resource), params),
    create: (resource, params) => rest.create(tableNameOf(resource), params),
    async update(resource, params) {
      const name = tableNameOf(resource);
      for (let data = params.data; ; ) {
        try {
          return await rest.update(name, { ...params, data });
        } catch (error) {
          if (problemOf(error)?.error !== 'edited_meanwhile') throw error;
          const { data: theirs } = await rest.getOne(name, { id: params.id });
          const { previousData: before } = params;
          const merged = await settle({ name, mine: data, theirs, before: before as Row | undefined });
          if (!merged) throw error;
          data = merged as typeof data;
        }
      }
    },
    updateMany: (resource, params) => rest.updateMany(tableNameOf(resource), params),
    // A DELETE has no body: the header says why.
    delete: async (resource, { id, meta }) => {
      const headers = { 'X-Reason': encodeURIComponent((meta as { reason?: string } | undefined)?.reason ?? '') };
      return { data: (await fetchJson(at(resource, id), { method: 'DELETE', headers })).json };
    },
    deleteMany: async (resource, { ids, meta }) => {
      const headers = { 'X-Reason': encodeURIComponent((meta as { reason?: string } | undefined)?.reason ?? '') };
      await Promise.all(ids.map((id) => fetchJson(at(resource, id), { method: 'DELETE', headers })));
      return { data: ids };
    },
    ask: async (path, { method = 'GET', body, headers = {}, signal } = {}) => {
      const init = {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(signal && { signal }),
      };
      return (await fetchJson(`${BASE}/${path}`, init)).json;
    },
    fetch: (path, init = {}) => send(`${BASE}/${path}`, init),
  };
}

/** As react-admin's forms take it: the sentence at its field. The problem stays reachable as `body.problem`. */
function httpError(problem: ApiProblem): HttpError {
  const { field, message, status } = problem;
  return new HttpError(message, status, { problem, ...(field !== undefined && { errors: { [field]: message } }) });
}
