import { S3Error } from './s3-error.js';
import { type Xml, type XmlNode, childText, childrenNamed, element } from './xml.js';

export interface CorsRule {
  id?: string;
  allowedOrigins: string[];
  allowedMethods: string[];
  allowedHeaders: string[];
  exposeHeaders: string[];
  maxAgeSeconds?: number;
}

const METHODS = ['GET', 'PUT', 'POST', 'DELETE', 'HEAD'];
const MAX_RULES = 100;

export function parseCorsRules(document: XmlNode): CorsRule[] {
  const rules = childrenNamed(document, 'CORSRule').map(parseRule);
  if (rules.length === 0 || rules.length > MAX_RULES) throw new S3Error('MalformedXML');
  return rules;
}

export function corsRuleToXml(rule: CorsRule): Xml {
  return element(
    'CORSRule',
    ...(rule.id === undefined ? [] : [element('ID', rule.id)]),
    ...rule.allowedOrigins.map((origin) => element('AllowedOrigin', origin)),
    ...rule.allowedMethods.map((method) => element('AllowedMethod', method)),
    ...rule.allowedHeaders.map((header) => element('AllowedHeader', header)),
    ...rule.exposeHeaders.map((header) => element('ExposeHeader', header)),
    ...(rule.maxAgeSeconds === undefined ? [] : [element('MaxAgeSeconds', rule.maxAgeSeconds)]),
  );
}

/** The first rule that allows this origin, method and request headers. */
export function matchingRule(
  rules: CorsRule[],
  origin: string,
  method: string,
  requestHeaders: string[] = [],
): CorsRule | undefined {
  return rules.find(
    (rule) =>
      rule.allowedMethods.includes(method) &&
      rule.allowedOrigins.some((pattern) => matches(pattern, origin)) &&
      requestHeaders.every((header) => rule.allowedHeaders.some((pattern) => matches(pattern, header))),
  );
}

/** The headers with which the browser lets the page read the response. */
export function corsHeaders(rule: CorsRule, origin: string): Record<string, string> {
  return {
    'access-control-allow-origin': rule.allowedOrigins.includes('*') ? '*' : origin,
    'access-control-allow-methods': rule.allowedMethods.join(', '),
    ...(rule.exposeHeaders.length > 0 && { 'access-control-expose-headers': rule.exposeHeaders.join(', ') }),
  };
}

export const CORS_VARY = 'Origin, Access-Control-Request-Headers, Access-Control-Request-Method';

function parseRule(node: XmlNode): CorsRule {
  const texts = (name: string) => childrenNamed(node, name).map(({ text }) => text.trim());
  const rule: CorsRule = {
    id: childText(node, 'ID'),
    allowedOrigins: texts('AllowedOrigin'),
    allowedMethods: texts('AllowedMethod'),
    allowedHeaders: texts('AllowedHeader'),
    exposeHeaders: texts('ExposeHeader'),
  };
  const maxAge = childText(node, 'MaxAgeSeconds')?.trim();
  if (maxAge !== undefined && !/^\d{1,9}$/.test(maxAge)) throw new S3Error('MalformedXML');
  if (rule.allowedOrigins.length === 0 || rule.allowedMethods.length === 0) throw new S3Error('MalformedXML');
  for (const method of rule.allowedMethods) {
    if (!METHODS.includes(method))
      throw new S3Error('InvalidRequest', `Unsupported AllowedMethod: ${method}`);
  }
  for (const pattern of [...rule.allowedOrigins, ...rule.allowedHeaders]) {
    if (pattern.split('*').length > 2)
      throw new S3Error('InvalidRequest', `${pattern} has more than one wildcard.`);
  }
  // Sent unchanged in a header of every response.
  if (rule.exposeHeaders.some((header) => !/^[\w-]+$/.test(header))) throw new S3Error('InvalidRequest');
  return { ...rule, maxAgeSeconds: maxAge === undefined ? undefined : Number(maxAge) };
}

function matches(pattern: string, value: string): boolean {
  const [head, tail] = pattern.toLowerCase().split('*') as [string, string?];
  const text = value.toLowerCase();
  if (tail === undefined) return text === head;
  return text.length >= head.length + tail.length && text.startsWith(head) && text.endsWith(tail);
}
