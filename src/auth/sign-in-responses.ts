import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Config } from '../config/config.js';
import { InjectConfig } from '../config/config.token.js';
import { SignedInDto } from './auth.dto.js';
import { ClientScopes } from './client-scopes.js';
import { Cookies, DEVICE_COOKIE_SECONDS } from './cookies.js';
import type { SignInOrigin } from './sign-in-method.js';
import type { IssuedTokens } from './sign-in.service.js';

const USER_AGENT_LENGTH = 300;

/** What every way to sign in reads from the request and puts into the response. */
@Injectable()
export class SignInResponses {
  private readonly refreshTokenSeconds: number;

  constructor(
    private readonly cookies: Cookies,
    private readonly clientScopes: ClientScopes,
    @InjectConfig() { auth }: Config,
  ) {
    this.refreshTokenSeconds = auth.refreshTokenSeconds;
  }

  originOf(request: Request): SignInOrigin {
    return {
      address: request.ip ?? '',
      deviceToken: this.cookies.device.read(request),
      userAgent: request.headers['user-agent']?.slice(0, USER_AGENT_LENGTH) ?? null,
    };
  }

  /** After signing in, also with the cookie of the device. */
  async begun(
    issued: IssuedTokens & { deviceToken: string },
    response: Response,
    isEmbedded = false,
  ): Promise<SignedInDto> {
    const signedIn = await this.continued(issued, response, isEmbedded);
    this.cookies.device.set(response, issued.deviceToken, DEVICE_COOKIE_SECONDS);
    return signedIn;
  }

  /** `isEmbedded`: for the picker in a frame on another site. */
  async continued(issued: IssuedTokens, response: Response, isEmbedded = false): Promise<SignedInDto> {
    const clientName = await this.clientScopes.portalNameOf(issued.user);
    this.cookies.session.set(response, issued.accessToken, issued.expiresIn);
    this.cookies.refresh.set(response, issued.refreshToken, this.refreshTokenSeconds);
    if (isEmbedded) this.cookies.embeddedRefresh.set(response, issued.refreshToken, this.refreshTokenSeconds);
    return SignedInDto.from(issued, clientName);
  }
}
