import { Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { JwtModule } from '@nestjs/jwt';
import { PassportModule } from '@nestjs/passport';
import { AuditModule } from '../audit/audit.module.js';
import { ClientsModule } from '../clients/clients.module.js';
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
import { Passwords } from './passwords.js';
import { PickerSignInController, PickerTokensController } from './pickers/picker-tokens.controller.js';
import { PickerTokensRepository } from './pickers/picker-tokens.repository.js';
import { PickerTokensService } from './pickers/picker-tokens.service.js';
import { RefusedSignIns } from './refused-sign-ins.js';
import { RouteRules } from './route-rules.js';
import { RunningRequests } from './running-requests.js';
import { SealedTokens } from './sealed-tokens.js';
import { SignInService } from './sign-in.service.js';

@Module({
  imports: [AuditModule, ClientsModule, DiscoveryModule, JwtModule, PassportModule, UsersModule],
  controllers: [ApiKeysController, AuthController, PickerSignInController, PickerTokensController],
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
    Passwords,
    PickerTokensRepository,
    PickerTokensService,
    RefusedSignIns,
    RouteRules,
    RunningRequests,
    SealedTokens,
    SignInService,
    { provide: APP_GUARD, useClass: AccessGuard },
  ],
  exports: [AuthRepository, ClientScopes, RouteRules, RunningRequests],
})
export class AuthModule {}
