// Access to an instance: tickets for its terminal and for its web content.
import { TERMINAL_ROUTES } from '@gantry/contract/areas/instances/terminal.ts';
import { containerService } from '@gantry/contract/kinds/container-service.ts';
import { job } from '@gantry/contract/kinds/job.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { type Call, type Served, serve } from '../../../platform/http/serve.ts';
import type { TenantWeb } from '../web/tenant-web.ts';
import type { Terminals } from './terminals.ts';

export const terminalRoutes = ({
  terminals,
  web,
  notebookToken,
}: {
  terminals: Pick<Terminals, 'issue' | 'issuePart' | 'sessions' | 'endSession'>;
  web: Pick<TenantWeb, 'issue'>;
  /** Throws not_found, no_notebook_token. */
  notebookToken: (caller: Caller, id: string) => string;
}): Served[] => [
  serve(TERMINAL_ROUTES.openTerminal, (call) => {
    name(call, call.params.id);
    return terminals.issue(call.caller, call.params.id, { ...call.query, session: call.body?.session });
  }),
  serve(TERMINAL_ROUTES.openJobTerminal, (call) => {
    call.audit.object = `${job.kind}/${call.params.id}`;
    return terminals.issuePart(call.caller, job, call.params.id, call.query);
  }),
  serve(TERMINAL_ROUTES.openServiceTerminal, (call) => {
    call.audit.object = `${containerService.kind}/${call.params.id}`;
    return terminals.issuePart(call.caller, containerService, call.params.id, call.query);
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
