// Access to a page: a person with a session, in a known organisation, with the page's menu node.

import type { Call, InputOf } from '@gantry/contract/http/call.ts';
import { CALLS } from '@gantry/contract/http/calls.ts';
import type { RouteFacts } from '@gantry/contract/http/define-route.ts';
import type { Api } from '@gantry/ui/client/api.ts';
import { ApiProblem } from '@gantry/ui/client/api-problem.ts';
import { keyOf } from '@gantry/ui/client/use-api.tsx';
import { nodesInput } from '@gantry/ui/session/nodes-input.ts';
import { forgetSession, readToken } from '@gantry/ui/session/session.ts';
import type { QueryClient } from '@tanstack/react-query';
import { type LoaderFunction, redirect, replace } from 'react-router';
import type { MenuName } from '../area.ts';
import { isShown, type Variant } from './menu.ts';
import { tellCancelled } from './notices.ts';
import { startSession } from './start-session.ts';

export interface GuardParts {
  api: Api;
  client: QueryClient;
  /** The address that is shown while a page is on its way. */
  here?(): string;
}

export const loginPath = (next: string): string =>
  next === '/' || next === '/home' ? '/login' : `/login?next=${encodeURIComponent(next)}`;

/** One for all pages: its results are kept until the page is reloaded. */
export class Guard {
  readonly #parts: Required<GuardParts>;
  #started: Promise<void> | undefined;

  constructor(parts: GuardParts) {
    this.#parts = { here: () => location.pathname + location.search, ...parts };
  }

  /** For a page that the node opens; without a node, for everybody logged in. */
  loader =
    (menu: MenuName | undefined): LoaderFunction =>
    async ({ request }) => {
      const { pathname, search } = new URL(request.url);
      const target = pathname + search;
      if (readToken() === undefined) throw redirect(loginPath(target));
      await this.#start(target);
      const [nodes, variant] = await Promise.all([this.#nodes(target), this.#variant()]);
      const may = nodes.some(({ pname, peltype }) => peltype === 'menu' && pname === menu);
      if (menu !== undefined && !(may && isShown(menu, variant))) throw redirect('/404');
      return null;
    };

  async #start(target: string): Promise<void> {
    this.#started ??= startSession(this.#parts.api).then(() => this.#readAhead());
    try {
      await this.#started;
    } catch (error) {
      this.#started = undefined;
      // A rejected token is worthless; one that could not be checked is kept.
      if (error instanceof ApiProblem && error.status === 401) forgetSession();
      else tellCancelled(error);
      throw redirect(loginPath(target));
    }
  }

  async #nodes(target: string) {
    try {
      return await this.#read(CALLS.getPermissionNodes, nodesInput('tenant'));
    } catch (error) {
      const { here } = this.#parts;
      // The first page has no previous one to stay on: it offers to try again.
      if (here() === target) throw error;
      tellCancelled(error);
      throw replace(here());
    }
  }

  async #variant(): Promise<Variant> {
    const settings = await this.#read(CALLS.getSettings, {}).catch(() => undefined);
    return settings?.console_variant ?? 'full';
  }

  #read<F extends RouteFacts>(call: Call<F>, input: InputOf<F>) {
    const { api, client } = this.#parts;
    return client.fetchQuery({
      queryKey: keyOf(call, input),
      queryFn: () => api.call(call, input),
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: Number.POSITIVE_INFINITY,
    });
  }

  /** Data that the frame always shows: requested while the page's script still loads. */
  #readAhead(): void {
    const { api, client } = this.#parts;
    for (const call of [CALLS.getMyOrganization, CALLS.getMe])
      void client.prefetchQuery({ queryKey: keyOf(call, {}), queryFn: () => api.call<RouteFacts>(call, {}) });
  }
}
