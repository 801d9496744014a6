import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Caller, Public, Requires } from '../../access/access.decorators.js';
import type { Principal } from '../../access/principal.js';
import { Problem } from '../../common/errors/problem.js';
import { SmallBody } from '../../common/http/body.guard.js';
import { Operation } from '../../common/openapi/operation.decorator.js';
import { Cookies } from '../cookies.js';
import {
  CreatedPickerTokenDto,
  CreatePickerTokenDto,
  OpenedPickerDto,
  OpenPickerDto,
} from './picker-tokens.dto.js';
import { PickerTokensService } from './picker-tokens.service.js';

@ApiTags('Picker')
@Controller('admin/picker-tokens')
export class PickerTokensController {
  constructor(private readonly pickers: PickerTokensService) {}

  @Post()
  @Requires('assets:read')
  @Operation(
    'Create a token that opens the picker in another page',
    ['client_not_found', 'grant_not_held'],
    'The token works once, within 60 seconds, and never allows more than its maker holds: it ends when the maker signs out, is deactivated or revoked, or loses the client or a permission that it needs.',
  )
  createPickerToken(
    @Caller() caller: Principal,
    @Body() body: CreatePickerTokenDto,
  ): Promise<CreatedPickerTokenDto> {
    return this.pickers.create(caller, body);
  }
}

@ApiTags('Picker')
@Controller('auth/picker')
@SmallBody()
export class PickerSignInController {
  constructor(
    private readonly pickers: PickerTokensService,
    private readonly cookies: Cookies,
  ) {}

  @Post()
  @HttpCode(200)
  @Public()
  @Operation(
    'Exchange a picker token for access',
    ['picker_token_invalid', 'origin_not_allowed', 'too_many_attempts', 'database_unavailable'],
    'Called by `/embed/picker`. The access token lasts at most an hour and cannot be renewed. It only opens the routes that are marked with `x-picker`.',
  )
  async openPicker(@Body() body: OpenPickerDto, @Req() request: Request): Promise<OpenedPickerDto> {
    // Another page that obtained a token cannot use it up.
    if (request.headers.origin !== undefined && !this.cookies.session.provesOrigin(request))
      throw new Problem('origin_not_allowed');
    return OpenedPickerDto.from(await this.pickers.open(body.token, request.ip ?? ''));
  }
}
