// Routes about the installation as a whole.
import * as z from 'zod';
import { FEATURE_NAMES } from '../../features.ts';
import { DOCUMENTS } from '../../fields/identity-document.ts';
import { defineRoute } from '../../http/define-route.ts';

export const settings = z.object({
  market: z.enum(['domestic', 'overseas']),
  region: z.string(),
  region_label: z.string(),
  billing_unit: z.string().meta({ description: 'The sign before an amount.' }),
  register_type: z.enum(['email', 'phone']),
  login_types: z.array(z.enum(['password', 'oidc'])).meta({ description: 'In the order in which to offer them.' }),
  login_providers: z.array(z.object({ id: z.string(), name: z.string() })),
  payment_channels: z.array(z.string()),
  welcome_credits: z.string().meta({ description: 'Credits of each person who is verified, once.' }),
  real_name_documents: z.array(z.enum(DOCUMENTS)).meta({ description: 'What one may be verified by.' }),
  real_name_review_hours: z.int().meta({ description: 'How long a review usually takes at most.' }),
  staff_second_factor: z
    .enum(['optional', 'required'])
    .meta({ description: "Whether staff need a second factor before any of the operators' calls." }),
  console_variant: z.enum(['full', 'account']),
  contact: z.string(),
  docs: z.string(),
  support: z.string(),
  community: z.string(),
  terms_version: z.string(),
  closed_features: z.array(z.enum(FEATURE_NAMES)).meta({ description: 'What is closed for a while.' }),
  version: z.string(),
});

export const PLATFORM_ROUTES = {
  getSettings: defineRoute({
    id: 'getSettings',
    method: 'GET',
    path: '/settings',
    tag: 'platform',
    summary: 'What a client must know before anybody signs in.',
    access: 'public',
    answer: { result: settings },
    problems: [],
  }),
  getOpenapi: defineRoute({
    id: 'getOpenapi',
    method: 'GET',
    path: '/openapi.json',
    tag: 'platform',
    summary: 'This document.',
    access: 'public',
    answer: { raw: z.record(z.string(), z.unknown()) },
    problems: [],
  }),
};
