// Real-name authentication over HTTP: submitting, auditing, and the pictures.
import type { IncomingMessage } from 'node:http';
import {
  PICTURE_BYTES,
  REAL_AUTH_ROUTES as R,
  REAL_AUTH_STATUS_OF,
} from '@gantry/contract/areas/identity/real-auth.ts';
import { problem } from '@gantry/contract/http/problem.ts';
import { mayStaff } from '@gantry/contract/roles.ts';
import busboy from 'busboy';
import { Gathered } from '../../platform/gathered.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { demandSession } from '../../platform/http/caller.ts';
import { lacksFactor, type StaffSecondFactor } from '../../platform/http/lacks-factor.ts';
import { noteRead } from '../../platform/http/note-read.ts';
import { type Served, serve } from '../../platform/http/serve.ts';
import type { Pictures } from './people/pictures.ts';
import type { RealAuth, RealAuths } from './people/real-auths.ts';

export interface RealAuthRouteParts {
  realAuths: RealAuths;
  pictures: Pictures;
  staffSecondFactor: StaffSecondFactor;
}

const mayAudit = (caller: Caller, staffSecondFactor: StaffSecondFactor): boolean =>
  caller.session.kind === 'session' &&
  mayStaff(caller.account.platformRoles, 'audit') &&
  !lacksFactor(caller, staffSecondFactor);

/** An ID card has its number alone; of an enterprise it has pictures in their own fields. */
export const documentView = ({ document, idCard, documentCountry, documentPicture }: RealAuth) => ({
  document,
  id_card: document === 'idCard' ? idCard : null,
  document_country: documentCountry,
  document_number: document === 'idCard' ? null : idCard,
  document_picture: documentPicture,
});

const viewOf = (row: RealAuth) => ({
  id: row.id,
  account_id: row.accountId,
  account_name: row.accountName,
  type: row.type,
  status: REAL_AUTH_STATUS_OF[row.state],
  state: row.state,
  name: row.name,
  ...documentView(row),
  phone: row.phone,
  enterprise_name: row.enterpriseName,
  credit_code: row.creditCode,
  contact_name: row.contactName,
  license_picture: row.licensePicture,
  id_front_picture: row.idFrontPicture,
  id_back_picture: row.idBackPicture,
  commitment_version: row.commitmentVersion,
  commitment_time: row.committedAt.toISOString(),
  submit_time: row.submittedAt.toISOString(),
  audit_time: row.decidedAt?.toISOString() ?? null,
  reason: row.reason,
});

/** Why staff approved it or took it for review is between them and the audit log. */
const ownViewOf = (row: RealAuth) => ({ ...viewOf(row), reason: row.state === 'rejected' ? row.reason : null });

export function realAuthRoutes({ realAuths, pictures, staffSecondFactor }: RealAuthRouteParts): Served[] {
  return [
    serve(R.submitRealAuth, async ({ caller, body, audit }) => {
      demandSession(caller);
      const made = await realAuths.submit(caller.account.id, body, 'submit');
      audit.object = `RealAuth/${made.id}`;
      return viewOf(made);
    }),
    serve(R.resubmitRealAuth, async ({ caller, body, audit }) => {
      demandSession(caller);
      const made = await realAuths.submit(caller.account.id, body, 'resubmit');
      audit.object = `RealAuth/${made.id}`;
      return viewOf(made);
    }),
    serve(R.getOwnRealAuth, async ({ caller }) => {
      demandSession(caller);
      const { personal, enterprise, summary, welcomeCredit } = await realAuths.own(caller.account.id);
      return {
        ...summary,
        reason: (enterprise ?? personal)?.state === 'rejected' ? ((enterprise ?? personal)?.reason ?? null) : null,
        welcome_credit: welcomeCredit,
        personal: personal ? ownViewOf(personal) : null,
        enterprise: enterprise ? ownViewOf(enterprise) : null,
      };
    }),
    serve(R.listRealAuths, async ({ query, audit }) => {
      const { items, total, ...extra } = await realAuths.list(query);
      noteRead(audit, items);
      return { items: items.map(viewOf), total, extra };
    }),
    serve(R.getRealAuth, async ({ params, audit }) => {
      const found = await realAuths.get(params.id);
      noteRead(audit, [found]);
      return viewOf(found);
    }),
    serve(R.auditRealAuth, async ({ caller, params, body, audit }) => {
      Object.assign(audit, { object: `RealAuth/${params.id}`, reason: body.reason });
      return viewOf(await realAuths.audit(caller.account, params.id, body));
    }),
    serve(R.uploadPicture, async ({ caller, req, audit }) => {
      demandSession(caller);
      const made = await pictures.add(caller.account.id, await readPicture(req));
      audit.object = `Picture/${made.id}`;
      return { id: made.id, media_type: made.mediaType, bytes: made.bytes };
    }),
    serve(R.getPicture, async ({ caller, params, res, audit }) => {
      demandSession(caller);
      const asked = { accountId: caller.account.id, mayAudit: mayAudit(caller, staffSecondFactor) };
      const { mediaType, content, isOwn } = await pictures.get(params.id, asked);
      // The picture is under way while the entry is committed: the frame writes entries behind the handler.
      if (!isOwn) Object.assign(audit, { object: `Picture/${params.id}`, evenIfRead: true });
      res.setHeader('content-type', mediaType);
      res.setHeader('content-length', content.length);
      res.setHeader('cache-control', 'private, no-store');
      res.setHeader('content-disposition', 'inline');
      res.end(content);
    }),
  ];
}

/** The body itself, or the one file of a form. Never more than a picture's bytes are held. */
function readPicture(req: IncomingMessage): Promise<Uint8Array> {
  const isForm = req.headers['content-type']?.toLowerCase().startsWith('multipart/form-data');
  return isForm ? readForm(req) : readBody(req);
}

async function readBody(req: IncomingMessage): Promise<Uint8Array> {
  if (Number(req.headers['content-length'] ?? 0) > PICTURE_BYTES) throw problem('too_large', { most: PICTURE_BYTES });
  const gathered = new Gathered();
  for await (const chunk of req as AsyncIterable<Buffer>) {
    if (gathered.size + chunk.length > PICTURE_BYTES) throw problem('too_large', { most: PICTURE_BYTES });
    gathered.add(chunk);
  }
  if (gathered.size === 0) throw problem('picture_missing');
  return gathered.bytes;
}

function readForm(req: IncomingMessage): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const files: Gathered[] = [];
    const fail = (fault: unknown) => {
      req.unpipe();
      req.resume();
      reject(fault as Error);
    };
    let form: busboy.Busboy;
    try {
      form = busboy({ headers: req.headers, limits: { files: 1, fields: 0, fileSize: PICTURE_BYTES, parts: 2 } });
    } catch {
      return fail(problem('picture_missing'));
    }
    form.on('file', (_name, stream) => {
      const file = new Gathered();
      files.push(file);
      stream.on('data', (chunk: Buffer) => file.add(chunk));
      stream.on('limit', () => fail(problem('too_large', { most: PICTURE_BYTES })));
    });
    for (const limit of ['filesLimit', 'fieldsLimit', 'partsLimit'] as const)
      form.on(limit, () => fail(problem('picture_missing')));
    form.on('error', () => fail(problem('picture_missing')));
    form.on('close', () => {
      const content = files[0]?.bytes ?? Buffer.alloc(0);
      if (content.length === 0) return reject(problem('picture_missing'));
      resolve(content);
    });
    req.on('aborted', () => fail(problem('picture_missing')));
    req.pipe(form);
  });
}
