import { Body, Controller, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Problem } from '../common/errors/problem.js';
import { FormBody, SmallBody } from '../common/http/body.guard.js';
import { Operation } from '../common/openapi/operation.decorator.js';
import { Authenticated, Caller, Public } from '../access/access.decorators.js';
import {
  ChangePasswordDto,
  LoginDto,
  MeDto,
  RefreshDto,
  SignedInDto,
  TokenResponseDto,
  TokenRequestDto,
} from './auth.dto.js';
import { ClientScopes } from './client-scopes.js';
import { Cookies } from './cookies.js';
import type { Principal } from '../access/principal.js';
import { type PasswordCredentials, Passwords } from './passwords.js';
import { SignInResponses } from './sign-in-responses.js';
import { SignInService } from './sign-in.service.js';
import { TokenForm, TokenFormPipe } from './token-form.pipe.js';

@ApiTags('Sign-in')
@Controller('auth')
@SmallBody()
export class AuthController {
  constructor(
    private readonly passwords: Passwords,
    private readonly signIns: SignInService,
    private readonly clientScopes: ClientScopes,
    private readonly cookies: Cookies,
    private readonly responses: SignInResponses,
  ) {}

  @Post('login')
  @HttpCode(200)
  @Public()
  @Operation('Sign in with email and password', [
    'invalid_credentials',
    'account_inactive',
    'too_many_attempts',
    'database_unavailable',
  ])
  async signIn(
    @Body() body: LoginDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SignedInDto> {
    return this.responses.begun(await this.signInWithPassword(body, request), response, body.embedded);
  }

  @Post('refresh')
  @HttpCode(200)
  @Public()
  @Operation(
    'Exchange a refresh token for new tokens',
    ['refresh_token_invalid', 'account_inactive', 'origin_not_allowed', 'database_unavailable'],
    'Each refresh token works once. Reusing one ends the whole sign-in, except within ten seconds (two tabs may refresh at the same time). Our own pages send no body; the token is in an HttpOnly cookie set by signing in.',
  )
  @ApiBody({ type: RefreshDto, required: false })
  async refreshTokens(
    @Body() body: RefreshDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SignedInDto> {
    const token = body.refreshToken ?? this.tokenInCookie(request);
    return this.responses.continued(await this.signIns.refresh(token), response, body.embedded);
  }

  @Post('token')
  @HttpCode(200)
  @Public()
  @FormBody()
  @ApiConsumes('application/x-www-form-urlencoded')
  @ApiBody({ type: TokenRequestDto })
  @Operation('Sign in with OAuth 2 (RFC 6749, password and refresh_token grants)', [
    'invalid_credentials',
    'account_inactive',
    'refresh_token_invalid',
    'too_many_attempts',
    'database_unavailable',
  ])
  async createToken(
    @TokenForm(TokenFormPipe) form: TokenRequestDto,
    @Req() request: Request,
  ): Promise<TokenResponseDto> {
    if (form.grant_type === 'refresh_token')
      return TokenResponseDto.from(await this.signIns.refresh(form.refresh_token ?? ''));
    const credentials = { email: form.username ?? '', password: form.password ?? '' };
    return TokenResponseDto.from(await this.signInWithPassword(credentials, request));
  }

  @Post('logout')
  @HttpCode(204)
  @Authenticated()
  @Operation('End this sign-in')
  async signOut(@Caller() caller: Principal, @Res({ passthrough: true }) response: Response): Promise<void> {
    await this.signIns.signOut(caller);
    this.cookies.session.clear(response);
    this.cookies.refresh.clear(response);
    this.cookies.embeddedRefresh.clear(response);
    // Clears previews that the browser may show without revalidation.
    response.setHeader('Clear-Site-Data', '"cache"');
  }

  @Get('me')
  @Authenticated()
  @Operation('Get the current user or API key and its permissions')
  async getCaller(@Caller() caller: Principal): Promise<MeDto> {
    return MeDto.from(caller, await this.clientScopes.portalNameOf(caller));
  }

  @Post('password')
  @HttpCode(204)
  @Authenticated()
  @Operation('Change your password; ends all your other sign-ins', [
    'invalid_credentials',
    'too_many_attempts',
  ])
  async changePassword(
    @Caller() caller: Principal,
    @Body() body: ChangePasswordDto,
    @Req() request: Request,
  ): Promise<void> {
    const origin = this.responses.originOf(request);
    await this.passwords.change(caller, body.currentPassword, body.newPassword, origin);
  }

  private async signInWithPassword(credentials: PasswordCredentials, request: Request) {
    const origin = this.responses.originOf(request);
    return this.signIns.signIn(await this.passwords.prove(credentials, origin), origin);
  }

  private tokenInCookie(request: Request): string {
    const token = this.cookies.refresh.read(request) ?? this.cookies.embeddedRefresh.read(request);
    if (token === null)
      throw new Problem('refresh_token_invalid', 'Send a refresh token in the body or in the cookie.');
    if (!this.cookies.refresh.provesOrigin(request)) throw new Problem('origin_not_allowed');
    return token;
  }
}
