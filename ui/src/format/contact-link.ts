// An operator's contact, as an address that a browser opens.

interface LinkProps {
  href: string;
  target?: '_blank';
  rel?: 'noopener';
}

/** `help@example.com`, `+1 202 555 0100` or a web address; undefined for anything else. */
export function linkOf(contact: string): string | undefined {
  const text = contact.trim();
  if (/^[^\s@/:]+@[^\s@/]+$/.test(text)) return `mailto:${text}`;
  if (/^\+[\d ()-]{6,}$/.test(text)) return `tel:${text.replace(/[^+\d]/g, '')}`;
  if (!URL.canParse(text)) return undefined;
  const { protocol, href } = new URL(text);
  return ['https:', 'http:', 'mailto:', 'tel:'].includes(protocol) ? href : undefined;
}

/** A site opens in another tab; without a usable contact our own page opens. */
export function contactLink(contact: string, ownPage: string): LinkProps {
  const href = linkOf(contact) ?? ownPage;
  return /^https?:/.test(href) ? { href, target: '_blank', rel: 'noopener' } : { href };
}
