/** Finished XML, so that text is escaped exactly once. */
export class Xml {
  constructor(readonly source: string) {}
}

export interface XmlNode {
  name: string;
  text: string;
  children: XmlNode[];
}

export class XmlSyntaxError extends Error {}

const MAX_DEPTH = 16;
const NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/';
const PREDEFINED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export function element(name: string, ...content: (Xml | string | number | boolean)[]): Xml {
  const inner = content.map((part) => (part instanceof Xml ? part.source : escapeXml(String(part))));
  return new Xml(`<${name}>${inner.join('')}</${name}>`);
}

export function xmlDocument(name: string, ...content: Xml[]): string {
  // S3 puts its namespace on every document except errors.
  const attributes = name === 'Error' ? '' : ` xmlns="${NAMESPACE}"`;
  const inner = content.map((part) => part.source).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${name}${attributes}>${inner}</${name}>`;
}

/** Parses the small documents that clients send: elements and text; no DTD, no CDATA, no custom entities. */
export function parseXml(source: string): XmlNode {
  const root: XmlNode = { name: '', text: '', children: [] };
  const open = [root];
  const token = /<\?xml[^<>]*\?>|<!--(?:[^-]|-[^-])*-->|<(\/?)([\w.:-]+)([^<>]*)>|([^<]+)/y;
  while (token.lastIndex < source.length) {
    const match = token.exec(source);
    if (!match) throw new XmlSyntaxError('Unexpected markup');
    const [, slash, tag, attributes = '', text] = match;
    const current = open[open.length - 1]!;
    if (text !== undefined) {
      if (current === root && text.replace('\uFEFF', '').trim())
        throw new XmlSyntaxError('Text outside the root');
      current.text += unescapeXml(text);
    } else if (tag !== undefined) {
      const name = tag.slice(tag.indexOf(':') + 1);
      if (slash) {
        if (current.name !== name || attributes.trim()) throw new XmlSyntaxError(`Unexpected </${name}>`);
        open.pop();
      } else {
        const node: XmlNode = { name, text: '', children: [] };
        if (open.length > MAX_DEPTH) throw new XmlSyntaxError('Nested too deeply');
        current.children.push(node);
        if (!attributes.endsWith('/')) open.push(node);
      }
    }
  }
  const [document] = root.children;
  if (open.length > 1 || root.children.length !== 1 || !document) throw new XmlSyntaxError('No single root');
  return document;
}

export function childrenNamed(node: XmlNode, name: string): XmlNode[] {
  return node.children.filter((child) => child.name === name);
}

export function childText(node: XmlNode, name: string): string | undefined {
  return childrenNamed(node, name)[0]?.text;
}

function escapeXml(text: string): string {
  // Control characters are allowed in keys; S3 also writes them as numeric references.
  return text.replace(/[&<>"\p{Cc}]/gu, (char) => ESCAPES[char] ?? `&#x${char.charCodeAt(0).toString(16)};`);
}

const REFERENCE = /&(?:(amp|lt|gt|quot|apos)|#x([0-9a-fA-F]{1,6})|#([0-9]{1,7}));/g;
const BROKEN_REFERENCE = /&(?!(?:amp|lt|gt|quot|apos|#x[0-9a-fA-F]{1,6}|#[0-9]{1,7});)/;

function unescapeXml(text: string): string {
  // Checked first, because on a text full of them `replace` would collect every match before the first callback.
  if (BROKEN_REFERENCE.test(text)) throw new XmlSyntaxError('Unknown entity');
  return text.replace(REFERENCE, (_, name?: string, hexadecimal?: string, decimal?: string) => {
    if (name !== undefined) return PREDEFINED[name]!;
    const code = hexadecimal === undefined ? parseInt(decimal!, 10) : parseInt(hexadecimal, 16);
    const isSurrogate = code >= 0xd800 && code <= 0xdfff;
    if (code > 0x10ffff || isSurrogate) throw new XmlSyntaxError('Not a character');
    return String.fromCodePoint(code);
  });
}
