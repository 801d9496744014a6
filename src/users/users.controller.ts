import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Requires } from '../access/access.decorators.js';
import type { Principal } from '../access/principal.js';
import { Operation } from '../common/openapi/operation.decorator.js';
import { PageQuery } from '../common/paging/page.js';
import { CreateUserDto, UpdateUserDto, UserDto, UserPageDto } from './users.dto.js';
import { UsersService } from './users.service.js';

@ApiTags('Users')
@Controller('admin/users')
export class UsersController {
  constructor(private readonly users: UsersService) {}

  @Get()
  @Requires('users:manage')
  @Operation('List users')
  async listUsers(@Caller() caller: Principal, @Query() query: PageQuery): Promise<UserPageDto> {
    const page = await this.users.list(caller, query);
    return { users: page.items.map((user) => UserDto.from(user)), nextCursor: page.nextCursor };
  }

  @Post()
  @Requires('users:manage')
  @Operation('Create a user', ['grant_not_held', 'email_taken'])
  async createUser(@Caller() caller: Principal, @Body() body: CreateUserDto): Promise<UserDto> {
    return UserDto.from(await this.users.create(caller, body));
  }

  @Patch(':userId')
  @Requires('users:manage')
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
