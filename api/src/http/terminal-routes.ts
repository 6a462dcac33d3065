// Access to an instance: tickets for its terminal and for its web content.
import { TERMINAL_ROUTES } from '@gantry/contract/http/terminal.ts';
import type { Caller } from '../identity/caller.ts';
import type { TenantWeb } from '../tenant-web/tenant-web.ts';
import type { Terminals } from '../terminal/terminals.ts';
import { type Call, type Served, serve } from './serve.ts';

export const terminalRoutes = ({
  terminals,
  web,
  notebookToken,
}: {
  terminals: Pick<Terminals, 'issue' | 'sessions' | 'endSession'>;
  web: Pick<TenantWeb, 'issue'>;
  /** Throws not_found, no_notebook_token. */
  notebookToken: (caller: Caller, id: string) => string;
}): Served[] => [
  serve(TERMINAL_ROUTES.openTerminal, (call) => {
    name(call, call.params.id);
    return terminals.issue(call.caller, call.params.id, { ...call.query, session: call.body?.session });
  }),
  serve(TERMINAL_ROUTES.listTerminalSessions, (call) => terminals.sessions(call.caller, call.params.id)),
  serve(TERMINAL_ROUTES.endTerminalSession, (call) => {
    name(call, call.params.id);
    return terminals.endSession(call.caller, call.params.id, call.params.session, call);
  }),
  serve(TERMINAL_ROUTES.openInstanceWeb, (call) => {
    name(call, call.params.id);
    return web.issue(call.caller, call.params.id, call.body.port);
  }),
  serve(TERMINAL_ROUTES.openJobWeb, (call) => {
    call.audit.object = `Job/${call.params.id}`;
    return web.issue(call.caller, `${call.params.id}.${call.body.worker}`, call.body.port);
  }),
  serve(TERMINAL_ROUTES.showNotebookToken, async (call) => {
    name(call, call.params.id);
    return { token: notebookToken(call.caller, call.params.id) };
  }),
];

const name = ({ audit }: Pick<Call, 'audit'>, id: string): void => {
  audit.object = `GpuInstance/${id}`;
};
