import type { Disk } from '../disk/disk.js';
import type { RequestBody } from './request-body.js';
import { S3Error } from './s3-error.js';
import type { S3Request } from './s3-request.js';
import { type Xml, type XmlNode, XmlSyntaxError, parseXml, xmlDocument } from './xml.js';

/** The input of an operation; the request is already authenticated. */
export interface Call {
  disk: Disk;
  request: S3Request;
  /** Only streaming operations read this one. */
  body: RequestBody;
  /** The body for all other operations, already read and verified. */
  text: string;
}

export interface Reply {
  status: number;
  headers?: Record<string, string>;
  body?: string | AsyncIterable<Buffer>;
  /** Called when the reply has been sent or has failed. */
  release?: () => Promise<void>;
}

export type Operation = (call: Call) => Promise<Reply> | Reply;

export function xmlReply(name: string, content: Xml[], headers: Record<string, string> = {}): Reply {
  return {
    status: 200,
    headers: { ...headers, 'content-type': 'application/xml' },
    body: xmlDocument(name, ...content),
  };
}

export function quoted(etag: string): string {
  return `"${etag}"`;
}

/** Parses the document of a request, whose root must have the given name. */
export function documentOf({ text }: Call, root: string): XmlNode {
  try {
    const document = parseXml(text);
    if (document.name === root) return document;
  } catch (error) {
    if (!(error instanceof XmlSyntaxError)) throw error;
  }
  throw new S3Error('MalformedXML');
}
