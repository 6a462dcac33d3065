// Browser access to an instance: its terminal, and its web content.
import * as z from 'zod';
import { MOST_WORKERS } from '../../fields/task.ts';
import { defineRoute } from '../../http/define-route.ts';
import { containerService } from '../../kinds/container-service.ts';
import { job } from '../../kinds/job.ts';

const sessionId = z.string().regex(/^trm-[a-z0-9]{1,32}$/);
const instanceId = z.strictObject({ id: z.string().min(1).max(63) });

/** A terminal that outlives its page. */
const terminalSession = z.object({
  id: z.string(),
  created_at: z.iso.datetime(),
  is_open: z.boolean().meta({ description: 'Somebody looks at it: attaching takes it over.' }),
});

export const terminalTicket = z.object({
  ticket: z.string().meta({ description: 'Opens one terminal, within 30 seconds.' }),
  url: z.string().meta({ description: 'Path of the WebSocket, the ticket in it.' }),
  cluster_id: z.string(),
  namespace: z.string(),
  container_name: z.string(),
});

export const webTicket = z.object({
  url: z.string().meta({ description: 'Opens what the instance serves, once within 30 seconds.' }),
});

export const TERMINAL_ROUTES = {
  openTerminal: defineRoute({
    id: 'openTerminal',
    feature: 'terminal',
    method: 'POST',
    path: '/develop/v1/instance/{id}/terminal',
    tag: 'instance',
    summary:
      'A ticket for a terminal in an instance: a WebSocket at the url of the answer. A terminal without a session ends with its WebSocket.',
    access: { right: 'use' },
    params: instanceId,
    query: z.strictObject({
      cluster_id: z
        .string()
        .max(63)
        .optional()
        .meta({ description: 'Refused if the instance is not on this cluster.' }),
      namespace: z
        .string()
        .max(63)
        .optional()
        .meta({ description: 'Refused if the instance is not in this namespace.' }),
    }),
    body: z
      .strictObject({
        session: z
          .union([z.literal('new'), sessionId])
          .meta({ description: 'A new session that outlives the WebSocket, or one of the own.' }),
      })
      .optional(),
    answer: { result: terminalTicket },
    status: 201,
    secret: true,
    problems: [
      'cluster_unknown',
      'namespace_unknown',
      'container_not_running',
      'too_many_terminals',
      'too_many_terminal_sessions',
    ],
  }),
  openJobTerminal: defineRoute({
    id: 'openJobTerminal',
    feature: 'terminal',
    method: 'POST',
    path: `/${job.collection}/{id}/terminal`,
    tag: 'job',
    summary: 'A ticket for a terminal in a worker of a job: a WebSocket at the url of the answer.',
    access: { right: 'use' },
    params: instanceId,
    query: z.strictObject({
      worker: z.coerce
        .number()
        .int()
        .min(0)
        .max(MOST_WORKERS - 1)
        .optional()
        .meta({ description: 'The rank of the worker. Absent: the first that runs.' }),
    }),
    answer: { result: terminalTicket },
    status: 201,
    secret: true,
    problems: ['container_not_running', 'too_many_terminals'],
  }),
  openServiceTerminal: defineRoute({
    id: 'openServiceTerminal',
    feature: 'terminal',
    method: 'POST',
    path: `/${containerService.collection}/{id}/terminal`,
    tag: 'service',
    summary: 'A ticket for a terminal in a replica of a service: a WebSocket at the url of the answer.',
    access: { right: 'use' },
    params: instanceId,
    query: z.strictObject({
      pod: z.string().max(253).optional().meta({ description: 'The name of the replica. Absent: the first one.' }),
    }),
    answer: { result: terminalTicket },
    status: 201,
    secret: true,
    problems: ['container_not_running', 'too_many_terminals'],
  }),
  listTerminalSessions: defineRoute({
    id: 'listTerminalSessions',
    method: 'GET',
    path: '/develop/v1/instance/{id}/terminal',
    tag: 'instance',
    summary: 'The own terminal sessions of an instance, the oldest first.',
    access: { right: 'use' },
    params: instanceId,
    answer: { data: z.array(terminalSession) },
    problems: [],
  }),
  endTerminalSession: defineRoute({
    id: 'endTerminalSession',
    method: 'DELETE',
    path: '/develop/v1/instance/{id}/terminal/{session}',
    tag: 'instance',
    summary: 'Ends one of the own terminal sessions, with everything that runs in it.',
    access: { right: 'use' },
    params: z.strictObject({ ...instanceId.shape, session: sessionId }),
    answer: { text: 'ok' },
    problems: ['container_not_running'],
  }),
  openInstanceWeb: defineRoute({
    id: 'openInstanceWeb',
    method: 'POST',
    path: '/develop/v1/instance/{id}/web',
    tag: 'instance',
    summary: "A link to an instance's notebook or to one of its published ports.",
    access: { right: 'use' },
    params: instanceId,
    body: z.strictObject({
      port: z.union([z.literal('notebook'), z.int().min(1).max(65_535)]).default('notebook'),
    }),
    answer: { result: webTicket },
    status: 201,
    secret: true,
    problems: ['container_not_running', 'port_not_published', 'tenant_web_off'],
  }),
  openJobWeb: defineRoute({
    id: 'openJobWeb',
    method: 'POST',
    path: '/deploy/v1/job/{id}/web',
    tag: 'job',
    summary: "A link to a port of a job's worker.",
    access: { right: 'use' },
    params: instanceId,
    body: z.strictObject({
      port: z.int().min(1).max(65_535).meta({ description: 'One of spec.ports.' }),
      worker: z
        .int()
        .min(0)
        .max(MOST_WORKERS - 1)
        .default(0)
        .meta({ description: 'Its rank.' }),
    }),
    answer: { result: webTicket },
    status: 201,
    secret: true,
    problems: ['container_not_running', 'port_not_published', 'tenant_web_off'],
  }),
  // A POST, so that the audit log says who looked.
  showNotebookToken: defineRoute({
    id: 'showNotebookToken',
    method: 'POST',
    path: '/develop/v1/instance/{id}/notebook-token',
    tag: 'instance',
    summary: "The token that an instance's notebook asks for.",
    access: { right: 'use' },
    params: instanceId,
    answer: { result: z.object({ token: z.string() }) },
    secret: true,
    problems: ['no_notebook_token'],
  }),
};

/** The path at which the WebSocket of a terminal is opened. */
export const TERMINAL_PATH = '/api/develop/v1/instance/terminal';

const size = z.int().min(1).max(1000);

/** In text frames, from the browser; typed input goes in binary ones. Between `pause` and `resume` no output is sent. */
export const terminalRequest = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('resize'), cols: size, rows: size }),
  z.strictObject({ type: z.literal('pause') }),
  z.strictObject({ type: z.literal('resume') }),
]);
export type TerminalRequest = z.output<typeof terminalRequest>;
