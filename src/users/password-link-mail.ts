import type { Mail } from '../mail/mailer.js';
import type { OpenLink } from './password-links.js';

/** The invitation of a user without a password; otherwise the mail about a new password. */
export function mailWithLink({ user, expiresAt }: OpenLink, url: string): Mail {
  const isInvitation = user.passwordHash === null;
  const paragraphs = [
    `Hello ${user.name.replace(/\s+/g, ' ')},`,
    isInvitation
      ? 'You have been invited to the Asset Library. Open this link to choose a password and sign in:'
      : 'Open this link to choose a new password for the Asset Library:',
    url,
    `The link works once, until ${expiresAt.toUTCString()}. Do not forward it: whoever opens it can sign in as you.`,
    isInvitation
      ? 'If you did not expect this invitation, you can ignore this email.'
      : 'If you did not ask for this, you can ignore this email. Your password stays the same.',
  ];
  return {
    to: user.email,
    subject: isInvitation
      ? 'Your invitation to the Asset Library'
      : 'Choose a new password for the Asset Library',
    text: `${paragraphs.join('\n\n')}\n`,
    html: paragraphs
      .map(escapeHtml)
      .map((text, index) => `<p>${index === 2 ? `<a href="${text}">${text}</a>` : text}</p>`)
      .join('\n'),
  };
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}
