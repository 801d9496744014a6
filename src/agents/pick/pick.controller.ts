import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { Requires, Scope } from '../../access/access.decorators.js';
import type { ClientScope } from '../../access/principal.js';
import { SendsJsonText } from '../../common/http/sends-json-text.decorator.js';
import { Operation } from '../../common/openapi/operation.decorator.js';
import { PickDto, PickedDto } from './pick.dto.js';
import { PickService } from './pick.service.js';
import { READ_PROBLEMS } from '../../database/reads.js';

const DESCRIPTION = `Only live assets that allow the surface. The score is the sum of three parts:

- **Text, up to 70**: each word is worth 1 in the title, 0.9 in a tag, 0.8 in alternative text or description, 0.7 in the file name, and 0.2 less inside a longer word; the part is 70 times the average.
- **Use on the surface, up to 15**: never 15; last used at least 365 days ago 12, 90 days 8, 30 days 4, otherwise 0.
- **Fitness for the surface, up to 15**: ready 15, fixable 8, blocked −100, so that blocked assets come last.

Newer assets come first where scores are equal. When fewer than 20 assets hold all words, those that hold some are ranked too.

At most the newest 200 assets that match are ranked. In libraries of more than 5,000 assets, the newest 5,000 are searched first. When fewer than 50 of these match, rare words, tags and types are looked up in the whole library, and everything else among the newest 20,000.`;

@ApiTags('Agents')
@ApiParam({ name: 'clientId', example: 'demo' })
@Controller('agents/clients/:clientId/assets')
export class PickController {
  constructor(private readonly picks: PickService) {}

  @Post('pick')
  @HttpCode(200)
  @Requires('assets:resolve')
  @Operation(
    'Pick the assets that suit a surface best, with score and reasons',
    ['surface_not_allowed', ...READ_PROBLEMS],
    DESCRIPTION,
  )
  @SendsJsonText(PickedDto)
  async pick(@Scope() scope: ClientScope, @Body() body: PickDto): Promise<string> {
    return PickedDto.toJson(await this.picks.pick(scope, body));
  }
}
