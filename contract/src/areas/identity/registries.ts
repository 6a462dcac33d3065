// Logins to private registries: each is a Secret of the platform's in the organisation's namespace, whose password nobody can read
// again.
import * as z from 'zod';
import { plainText } from '../../fields/plain-text.ts';
import { defineRoute } from '../../http/define-route.ts';
import { cursorQuery } from '../../http/paging.ts';

export const MOST_REGISTRIES = 20;

const tag = 'registries';
const registry = z.object({
  id: z.string().meta({ description: 'The name of its Secret: what an image gives as `pullSecret`.' }),
  server: z.string(),
  user: z.string(),
  creator: z.string().meta({ description: 'The account that added it.' }),
  create_time: z.iso.datetime(),
});

export const registryBody = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z0-9]([-a-z0-9]{0,48}[a-z0-9])?$/, 'registry_name_rule')
    .meta({ description: 'The name that images give as `pullSecret`. It cannot be changed.' }),
  server: z
    .string()
    .max(253)
    .regex(/^[a-zA-Z0-9]([a-zA-Z0-9.-]*[a-zA-Z0-9])?(:[0-9]{1,5})?$/, 'registry_server_rule')
    // Images name their hosts so.
    .toLowerCase()
    .meta({ description: 'The host, with its port where it has one: ghcr.io, registry.example.com:5000.' }),
  // Basic authentication ends the user at the first colon.
  user: plainText(256).refine((user) => !user.includes(':'), 'registry_user_rule'),
  token: z.string().min(1).max(8192).meta({ description: 'A password or an access token. It is never shown again.' }),
});

export const REGISTRY_ROUTES = {
  listRegistries: defineRoute({
    id: 'listRegistries',
    method: 'GET',
    path: '/develop/v1/registry',
    tag,
    summary: "The organisation's logins to private registries, by name.",
    access: { right: 'view' },
    query: z.strictObject(cursorQuery(MOST_REGISTRIES)),
    answer: { list: registry },
    problems: ['cursor_rule'],
  }),
  createRegistry: defineRoute({
    id: 'createRegistry',
    method: 'POST',
    path: '/develop/v1/registry',
    tag,
    summary: 'Adds a login to a private registry; images name it as `pullSecret`.',
    access: { right: 'use' },
    body: registryBody,
    answer: { result: registry },
    status: 201,
    problems: ['registry_exists', 'too_many_registries', 'organization_not_ready'],
  }),
  deleteRegistry: defineRoute({
    id: 'deleteRegistry',
    method: 'DELETE',
    path: '/develop/v1/registry/{id}',
    tag,
    summary: 'Deletes a login; images that need it can no longer be pulled.',
    access: { right: 'use' },
    params: z.object({ id: z.string().min(1).max(63) }),
    answer: { text: 'ok' },
    problems: [],
  }),
};
