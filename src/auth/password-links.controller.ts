import { Body, Controller, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../access/access.decorators.js';
import { SmallBody } from '../common/http/body.guard.js';
import { Operation } from '../common/openapi/operation.decorator.js';
import { Mailer } from '../mail/mailer.js';
import {
  AcceptInvitationDto,
  CheckInvitationDto,
  ForgotPasswordDto,
  InvitationDto,
  SignInOptionsDto,
} from './account.dto.js';
import { SignedInDto } from './auth.dto.js';
import { PasswordLinkSignIn } from './password-link-sign-in.js';
import { SignInResponses } from './sign-in-responses.js';
import { SignInService } from './sign-in.service.js';

/** For people who have a link, or ask for one, and are not signed in. */
@ApiTags('Sign-in')
@Controller('auth')
@SmallBody()
export class PasswordLinksController {
  constructor(
    private readonly links: PasswordLinkSignIn,
    private readonly signIns: SignInService,
    private readonly responses: SignInResponses,
    private readonly mailer: Mailer,
  ) {}

  @Get('options')
  @Public()
  @Operation('Get what the sign-in page offers')
  getSignInOptions(): SignInOptionsDto {
    return { passwordReset: this.mailer.isConfigured };
  }

  @Post('invitations/check')
  @HttpCode(200)
  @Public()
  @Operation('Get whom an invitation or reset link is for', [
    'link_invalid',
    'too_many_attempts',
    'database_unavailable',
  ])
  async checkInvitation(@Body() body: CheckInvitationDto, @Req() request: Request): Promise<InvitationDto> {
    return InvitationDto.from(await this.links.check(body.token, request.ip ?? ''));
  }

  @Post('invitations/accept')
  @HttpCode(200)
  @Public()
  @Operation(
    'Choose a password with an invitation or reset link, and sign in',
    ['link_invalid', 'account_inactive', 'too_many_attempts', 'database_unavailable'],
    'Ends all other sign-ins of the user. `link_invalid` does not say whether the link has expired, was used or replaced, never existed, or ended because its maker lost what the user holds.',
  )
  async acceptInvitation(
    @Body() body: AcceptInvitationDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SignedInDto> {
    const origin = this.responses.originOf(request);
    const issued = await this.signIns.signIn(await this.links.prove(body, origin), origin);
    // Clears previews of whoever was signed in in this browser.
    response.setHeader('Clear-Site-Data', '"cache"');
    return this.responses.begun(issued, response);
  }

  @Post('password/forgot')
  @HttpCode(202)
  @Public()
  @Operation(
    'Ask for a link to choose a new password',
    ['too_many_attempts', 'database_unavailable'],
    'The response is the same whether or not a user has this address. The link is sent to active users who have a password and works for an hour. Without SMTP_URL, nothing is sent.',
  )
  async requestPasswordLink(@Body() body: ForgotPasswordDto, @Req() request: Request): Promise<void> {
    await this.links.request(body.email, request.ip ?? '');
  }
}
