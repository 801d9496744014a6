import { Controller, Get, Headers, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Requires, Scope } from '../access/access.decorators.js';
import type { ClientScope } from '../access/principal.js';
import { Operation } from '../common/openapi/operation.decorator.js';
import { EventStreams } from './event-streams.js';

const DESCRIPTION = `Server-sent events, for \`EventSource\` with the session cookie or for any client with a token. The data of each event is JSON. Bursts are merged into at most about four messages per second.

- \`asset.changed\` \`{assetIds?, folderIds?}\`: assets were created, edited, moved, trashed or restored. \`folderIds\` lists their current and previous folders; null is the top level.
- \`folder.changed\` \`{folderIds?}\`, \`trash.changed\` \`{}\`
- \`delivery.changed\` \`{deliveryIds?}\`, \`target.changed\` \`{targetIds?}\`: only for callers with permission to see them
- \`resync\` \`{}\`: events may have been missed. Reload what is shown.
- \`signed_out\` \`{reason}\`: \`signed_out\`, \`account_inactive\` or \`permission_denied\`. The stream ends.

A list of ids is omitted if it would be too long. With \`Last-Event-ID\`, the stream continues after that event, on any replica and after a restart, for up to a day; if that is no longer possible, it begins with \`resync\`.`;

@ApiTags('Live updates')
abstract class EventsController {
  constructor(private readonly streams: EventStreams) {}

  @Get()
  @Requires('assets:read')
  @ApiHeader({ name: 'Last-Event-ID', required: false, description: 'The id of the last event received' })
  @ApiOkResponse({
    description: 'Events, until either side closes the connection',
    content: { 'text/event-stream': { schema: { type: 'string' } } },
  })
  @Operation(
    "Stream the changes in the client's library",
    ['too_many_requests', 'server_busy', 'shutting_down'],
    DESCRIPTION,
  )
  async streamEvents(
    @Scope() scope: ClientScope,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    if (request.method === 'HEAD') response.type('text/event-stream').end();
    else await this.streams.subscribe(scope, response, lastEventId);
  }
}

@ApiParam({ name: 'clientId', example: 'demo' })
@Controller('admin/clients/:clientId/events')
export class AdminEventsController extends EventsController {}

@Controller('portal/events')
export class PortalEventsController extends EventsController {}
