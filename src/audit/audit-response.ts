import contentDisposition from 'content-disposition';
import type { Request, Response } from 'express';
import { Readable } from 'node:stream';
import { Problem } from '../common/errors/problem.js';
import { NOT_STORED } from '../common/http/not-stored.js';
import { sendStream } from '../common/http/send-stream.js';
import type { Page } from '../common/paging/page.js';
import { csvOf } from './audit-csv.js';
import { AuditPageDto, type NamedEvent } from './audit.dto.js';

interface Activity {
  /** Of the file, without the date and the extension. */
  readonly name: string;
  readonly page: () => Promise<Page<NamedEvent>>;
  readonly all: () => Promise<AsyncIterable<readonly NamedEvent[]>>;
}

/** A page of events as JSON, or all of them as a CSV file, whichever the caller prefers. */
export async function sendActivity(request: Request, response: Response, activity: Activity): Promise<void> {
  response.vary('Accept');
  response.setHeader('Cache-Control', NOT_STORED);
  const format = request.accepts(['json', 'csv']);
  if (format === false) throw new Problem('not_acceptable', 'Ask for application/json or text/csv.');
  if (format === 'json') {
    response.json(AuditPageDto.from(await activity.page()));
    return;
  }
  const batches = await activity.all();
  const filename = `${activity.name}-${new Date().toISOString().slice(0, 10)}.csv`;
  response.setHeader('Content-Type', 'text/csv; charset=utf-8');
  response.setHeader('Content-Disposition', contentDisposition.create(filename));
  if (request.method === 'HEAD') response.end();
  else await sendStream(response, () => Promise.resolve(Readable.from(csvOf(batches), { highWaterMark: 1 })));
}
