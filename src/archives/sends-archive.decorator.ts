import { ApiOkResponse } from '@nestjs/swagger';

/** Documents an archive as the response. */
export const SendsArchive = () =>
  ApiOkResponse({
    description: 'A zip archive',
    content: { 'application/zip': { schema: { type: 'string', format: 'binary' } } },
  });
