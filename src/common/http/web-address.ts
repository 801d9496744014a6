export const MAX_ADDRESS_LENGTH = 2_048;

/**
 * The address in the form in which it can be shown as a link: http or https, without credentials and of bounded length. Null for anything
 * else.
 */
export function webAddress(text: string, base?: string): string | null {
  // The parser would drop or encode these.
  if (text === '' || text.length > MAX_ADDRESS_LENGTH || /[\s\p{Cc}\p{Cf}]/u.test(text)) return null;
  // An empty user name leaves no trace in the parsed address.
  if (/^[a-z]+:[\\/]*[^\\/?#]*@/i.test(text) || !URL.canParse(text, base)) return null;
  const { href, protocol, username, password } = new URL(text, base);
  const isWeb = protocol === 'https:' || protocol === 'http:';
  return isWeb && username === '' && password === '' && href.length <= MAX_ADDRESS_LENGTH ? href : null;
}
