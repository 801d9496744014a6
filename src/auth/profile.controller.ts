import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated, Caller } from '../access/access.decorators.js';
import type { Principal } from '../access/principal.js';
import { SmallBody } from '../common/http/body.guard.js';
import { Operation } from '../common/openapi/operation.decorator.js';
import { PageQuery } from '../common/paging/page.js';
import { UsersService } from '../users/users.service.js';
import { SignInDto, SignInPageDto, UpdateMeDto } from './account.dto.js';
import { MeDto } from './auth.dto.js';
import { ClientScopes } from './client-scopes.js';
import { OwnSignIns } from './own-sign-ins.js';

@ApiTags('Sign-in')
@Controller('auth')
@SmallBody()
export class ProfileController {
  constructor(
    private readonly users: UsersService,
    private readonly signIns: OwnSignIns,
    private readonly clientScopes: ClientScopes,
  ) {}

  @Patch('me')
  @Authenticated()
  @Operation('Change your name', ['permission_denied'])
  async updateCaller(@Caller() caller: Principal, @Body() { name }: UpdateMeDto): Promise<MeDto> {
    await this.users.rename(caller, name);
    return MeDto.from({ ...caller, name }, await this.clientScopes.portalNameOf(caller));
  }

  @Get('sign-ins')
  @Authenticated()
  @Operation('List your open sign-ins, newest first')
  async listSignIns(@Caller() caller: Principal, @Query() query: PageQuery): Promise<SignInPageDto> {
    const { items, nextCursor } = await this.signIns.list(caller, query);
    return { signIns: items.map((signIn) => SignInDto.from(signIn, caller.signInId)), nextCursor };
  }

  @Delete('sign-ins')
  @HttpCode(204)
  @Authenticated()
  @Operation('End all your other sign-ins')
  async endOtherSignIns(@Caller() caller: Principal): Promise<void> {
    await this.signIns.endOthers(caller);
  }

  @Delete('sign-ins/:signInId')
  @HttpCode(204)
  @Authenticated()
  @Operation('End one of your sign-ins', ['sign_in_not_found'])
  async endSignIn(@Caller() caller: Principal, @Param('signInId') signInId: string): Promise<void> {
    await this.signIns.end(caller, signInId);
  }
}
