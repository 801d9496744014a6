import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Requires } from '../access/access.decorators.js';
import type { Principal } from '../access/principal.js';
import { Operation } from '../common/openapi/operation.decorator.js';
import { PageQuery } from '../common/paging/page.js';
import {
  CreatedUserDto,
  CreateUserDto,
  PasswordLinkDto,
  UpdateUserDto,
  UserDto,
  UserPageDto,
} from './users.dto.js';
import { UsersService } from './users.service.js';

@ApiTags('Users')
@Controller('admin/users')
export class UsersController {
  constructor(private readonly users: UsersService) {}

  @Get()
  @Requires('portal-users:manage')
  @Operation(
    'List users',
    [],
    'Without the permission `users:manage`, only users of the portals of your clients: you neither see nor change others.',
  )
  async listUsers(@Caller() caller: Principal, @Query() query: PageQuery): Promise<UserPageDto> {
    const page = await this.users.list(caller, query);
    return { users: page.items.map((user) => UserDto.from(user)), nextCursor: page.nextCursor };
  }

  @Post()
  @Requires('portal-users:manage')
  @Operation(
    'Invite or create a user',
    ['grant_not_held', 'email_taken'],
    'Without a password, the response contains a link with which the person chooses one. It works once, for 72 hours, and ends when its maker is deactivated, loses rights or gets a new password. If mail is set up, it is also sent to the address.',
  )
  async createUser(@Caller() caller: Principal, @Body() body: CreateUserDto): Promise<CreatedUserDto> {
    const { link, ...created } = await this.users.create(caller, body);
    return { ...UserDto.from(created), invitation: link };
  }

  @Post(':userId/reset-link')
  @Requires('portal-users:manage')
  @Operation(
    'Create a link to choose a new password, or a new invitation',
    ['user_not_found', 'user_inactive'],
    'Ends earlier links of the user. The current password works until the link is used.',
  )
  async createResetLink(
    @Caller() caller: Principal,
    @Param('userId') userId: string,
  ): Promise<PasswordLinkDto> {
    return this.users.createLink(caller, userId);
  }

  @Patch(':userId')
  @Requires('portal-users:manage')
  @Operation('Update a user: role, clients, name, active state or password', [
    'grant_not_held',
    'user_not_found',
    'last_owner',
  ])
  async updateUser(
    @Caller() caller: Principal,
    @Param('userId') userId: string,
    @Body() body: UpdateUserDto,
  ): Promise<UserDto> {
    return UserDto.from(await this.users.update(caller, userId, body));
  }
}
