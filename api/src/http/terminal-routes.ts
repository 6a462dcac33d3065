// Access to an instance: tickets for its terminal and for its web content.
import { TERMINAL_ROUTES } from '@gantry/contract/http/terminal.ts';
import type { TenantWeb } from '../tenant-web/tenant-web.ts';
import type { Terminals } from '../terminal/terminals.ts';
import { type Call, type Served, serve } from './serve.ts';

export const terminalRoutes = ({
  terminals,
  web,
}: {
  terminals: Pick<Terminals, 'issue' | 'sessions' | 'endSession'>;
  web: Pick<TenantWeb, 'issue'>;
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
];

const name = ({ audit }: Pick<Call, 'audit'>, id: string): void => {
  audit.object = `GpuInstance/${id}`;
};
