// A document as the forms hold it, and the part of a submission that is made of it: an ID card has a number alone.
import type { IdentityDocument } from '@gantry/contract/fields/identity-document.ts';
import type { Submission } from './real-name-tab.tsx';

/** Members have the body's names, so that an error appears at its field. */
export interface DocumentValues {
  document: IdentityDocument;
  id_card: string;
  document_country: string;
  document_number: string;
  document_picture: string;
}

/** A new one is the first that people from elsewhere have, if the installation takes it. */
export const documentValuesOf = (former: Submission | null, accepted: readonly IdentityDocument[]): DocumentValues => ({
  document: former?.document ?? (accepted.includes('passport') ? 'passport' : 'idCard'),
  id_card: former?.id_card ?? '',
  document_country: former?.document_country ?? '',
  document_number: former?.document_number ?? '',
  document_picture: former?.document_picture ?? '',
});

export function documentBody({ document, id_card, ...other }: DocumentValues) {
  const { document_country, document_number, document_picture } = other;
  return document === 'idCard'
    ? { document, id_card: id_card.trim() }
    : { document, document_country, document_number: document_number.trim(), document_picture };
}
