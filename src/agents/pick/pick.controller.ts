import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { Requires, Scope } from '../../access/access.decorators.js';
import type { ClientScope } from '../../access/principal.js';
import { Operation } from '../../common/openapi/operation.decorator.js';
import { PickDto, PickedDto } from './pick.dto.js';
import { PickService } from './pick.service.js';
import { READ_PROBLEMS } from '../../database/reads.js';

const DESCRIPTION = `Considers live assets that are allowed on the surface. The score is the sum of three parts:

- **Text, up to 70**: each word counts 1 in the title, 0.9 in a tag, 0.8 in the alt text or description, 0.7 in the file name, and 0.2 less inside a longer word. This part is 70 times the average.
- **Use on the surface, up to 15**: 15 if never used; 12 if last used at least 365 days ago, 8 if 90 days, 4 if 30 days, otherwise 0.
- **Fitness for the surface, up to 15**: 15 if ready, 8 if fixable, −100 if blocked, so that blocked assets come last.

If scores are equal, newer assets come first. If fewer than 20 assets contain all words, assets that contain some of them are ranked too.

At most the newest 200 matching assets are ranked. In libraries with more than 5,000 assets, the newest 5,000 are searched first. If fewer than 50 of these match, rare words, tags and types are searched in the whole library, and everything else among the newest 20,000.`;

@ApiTags('Agents')
@ApiParam({ name: 'clientId', example: 'demo' })
@Controller('agents/clients/:clientId/assets')
export class PickController {
  constructor(private readonly picks: PickService) {}

  @Post('pick')
  @HttpCode(200)
  @Requires('assets:resolve')
  @Operation(
    'Pick the best assets for a surface, with scores and reasons',
    ['surface_not_allowed', ...READ_PROBLEMS],
    DESCRIPTION,
  )
  async pickAssets(@Scope() scope: ClientScope, @Body() body: PickDto): Promise<PickedDto> {
    return PickedDto.from(await this.picks.pick(scope, body));
  }
}
