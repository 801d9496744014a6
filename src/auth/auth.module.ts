import { Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { JwtModule } from '@nestjs/jwt';
import { PassportModule } from '@nestjs/passport';
import { AuditModule } from '../audit/audit.module.js';
import { ClientsModule } from '../clients/clients.module.js';
import { MailModule } from '../mail/mail.module.js';
import { UsersModule } from '../users/users.module.js';
import { AccessGuard } from './access.guard.js';
import { AccessTokenService } from './access-token.service.js';
import { ApiKeysController } from './api-keys/api-keys.controller.js';
import { ApiKeysRepository } from './api-keys/api-keys.repository.js';
import { ApiKeysService } from './api-keys/api-keys.service.js';
import { AuthController } from './auth.controller.js';
import { AuthRepository } from './auth.repository.js';
import { Authenticator } from './authenticator.js';
import { CallerCache } from './caller-cache.js';
import { ClientScopes } from './client-scopes.js';
import { Cookies } from './cookies.js';
import { DeleteOldSignInsJob } from './delete-old-sign-ins.job.js';
import { JwtStrategy } from './jwt.strategy.js';
import { LoginLimiter } from './login-limiter.js';
import { OwnSignIns } from './own-sign-ins.js';
import { PasswordLinkLimiter } from './password-link-limiter.js';
import { PasswordLinkSignIn } from './password-link-sign-in.js';
import { PasswordLinksController } from './password-links.controller.js';
import { Passwords } from './passwords.js';
import { PickerSignInController, PickerTokensController } from './pickers/picker-tokens.controller.js';
import { PickerTokensRepository } from './pickers/picker-tokens.repository.js';
import { PickerTokensService } from './pickers/picker-tokens.service.js';
import { ProfileController } from './profile.controller.js';
import { RefusedSignIns } from './refused-sign-ins.js';
import { RouteRules } from './route-rules.js';
import { RunningRequests } from './running-requests.js';
import { SealedTokens } from './sealed-tokens.js';
import { SignInResponses } from './sign-in-responses.js';
import { SignInService } from './sign-in.service.js';
import { SignInsRepository } from './sign-ins.repository.js';

@Module({
  imports: [AuditModule, ClientsModule, DiscoveryModule, JwtModule, MailModule, PassportModule, UsersModule],
  controllers: [
    ApiKeysController,
    AuthController,
    PasswordLinksController,
    PickerSignInController,
    PickerTokensController,
    ProfileController,
  ],
  providers: [
    AccessTokenService,
    ApiKeysRepository,
    ApiKeysService,
    Authenticator,
    AuthRepository,
    CallerCache,
    ClientScopes,
    Cookies,
    DeleteOldSignInsJob,
    JwtStrategy,
    LoginLimiter,
    OwnSignIns,
    PasswordLinkLimiter,
    PasswordLinkSignIn,
    Passwords,
    PickerTokensRepository,
    PickerTokensService,
    RefusedSignIns,
    RouteRules,
    RunningRequests,
    SealedTokens,
    SignInResponses,
    SignInService,
    SignInsRepository,
    { provide: APP_GUARD, useClass: AccessGuard },
  ],
  exports: [AuthRepository, ClientScopes, RouteRules, RunningRequests],
})
export class AuthModule {}
