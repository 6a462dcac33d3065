// The automatic check of a real name, through an adapter of the installation. It decides what it is sure of; whatever else it says,
// and whatever goes wrong, an auditor looks at.
import { REAL_AUTH_TYPE, type RealAuthSubmission, realNameVerdict } from '@gantry/contract/areas/identity/real-auth.ts';
import { type Adapter, signedPost } from '../../../platform/mail/signed-post.ts';

/** A rejection gives the person a reason. */
export type Verdict = { step: 'approve' | 'take' } | { step: 'reject'; reason: string };
/** Proven by an ID card, whose number an adapter can look up. */
type CheckableSubmission = Extract<RealAuthSubmission, { id_card: string }>;
/** Never rejects. */
export type CheckRealName = (id: string, submission: CheckableSubmission) => Promise<Verdict>;

const UNSURE: Verdict = { step: 'take' };

export function realNameChecker(
  adapter: Adapter,
  { now, log }: { now: () => number; log: { warn(facts: object, text: string): void } },
): CheckRealName {
  return async (id, submission) => {
    try {
      const said = realNameVerdict.parse(JSON.parse(await signedPost(adapter, contentOf(id, submission), now())));
      if (said.result === 'rejected') return { step: 'reject', reason: said.reason };
      return said.result === 'approved' ? { step: 'approve' } : UNSURE;
    } catch (error) {
      // Neither the submission nor the answer, which may repeat it.
      const { name, code } = error as { name?: string; code?: string };
      log.warn({ realAuth: id, name, code }, 'A real name could not be checked automatically; an auditor looks at it');
      return UNSURE;
    }
  };
}

const contentOf = (id: string, submission: CheckableSubmission): object =>
  submission.type === REAL_AUTH_TYPE.personal
    ? { id, type: 'personal', name: submission.name, id_card: submission.id_card, phone: submission.phone }
    : {
        id,
        type: 'enterprise',
        name: submission.legal_name,
        id_card: submission.id_card,
        enterprise_name: submission.enterprise_name,
        credit_code: submission.credit_code,
        contact_name: submission.contact_name,
      };
