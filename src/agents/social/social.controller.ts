import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOkResponse, ApiParam, ApiQuery, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Requires, Scope } from '../../access/access.decorators.js';
import type { ClientScope } from '../../access/principal.js';
import { Operation } from '../../common/openapi/operation.decorator.js';
import {
  CountedFolderDto,
  FolderDto,
  NewFolderDto,
  TrashedFolderDto,
  TrashFolderDto,
  UpdateFolderDto,
} from '../../folders/folders.dto.js';
import { requireTrashFolder } from '../../folders/folders.controller.js';
import { SocialFoldersService } from './social-folders.service.js';
import { FiledPostDto, FilePostDto, SocialTreeDto } from './social.dto.js';
import { SocialService } from './social.service.js';
import { READ_PROBLEMS } from '../../database/reads.js';

/** The Social agent's part of the library (specification, section 2). */
@ApiTags('Social posting')
@ApiParam({ name: 'clientId', example: 'demo' })
@Controller('agents/clients/:clientId/social')
export class SocialController {
  constructor(
    private readonly social: SocialService,
    private readonly folders: SocialFoldersService,
  ) {}

  @Post('posted')
  @HttpCode(200)
  @Requires('social:organize')
  @Operation(
    'Record an asset as posted',
    ['asset_not_found', 'surface_not_allowed'],
    'Records the usage and moves the asset to `Social/Posted`, unless it is already there or below. Repeating the request with the same asset and address changes nothing.',
  )
  async recordSocialPost(@Scope() scope: ClientScope, @Body() body: FilePostDto): Promise<FiledPostDto> {
    return FiledPostDto.from(await this.social.file(scope, body));
  }

  @Get('folders')
  @Requires('social:organize')
  @Operation('Get Social and all folders below, with counts', ['surface_not_allowed', ...READ_PROBLEMS])
  async getSocialFolderTree(@Scope() scope: ClientScope): Promise<SocialTreeDto> {
    return { folders: (await this.folders.tree(scope)).map((folder) => CountedFolderDto.from(folder)) };
  }

  @Post('folders')
  @ApiCreatedResponse({ description: 'The new folder', type: FolderDto })
  @ApiOkResponse({ description: 'The existing folder', type: FolderDto })
  @Requires('social:organize')
  @Operation(
    'Create a folder below Social',
    ['folder_not_found', 'surface_not_allowed', 'folder_name_taken', 'folder_too_deep', 'too_many_folders'],
    'Without `parentId`, the folder is created in `Social`. Creating `Social/Posted` again returns 200 with the existing folder.',
  )
  async createSocialFolder(
    @Scope() scope: ClientScope,
    @Body() body: NewFolderDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<FolderDto> {
    const { created, ...folder } = await this.folders.create(scope, body);
    response.status(created ? 201 : 200);
    return FolderDto.from(folder);
  }

  @Patch('folders')
  @Requires('social:organize')
  @Operation(
    'Rename or move a folder below Social',
    [
      'folder_protected',
      'folder_not_found',
      'surface_not_allowed',
      'folder_name_taken',
      'folder_cycle',
      'folder_too_deep',
    ],
    'A folder cannot be moved out of `Social`; folders outside it are `folder_not_found`.',
  )
  async updateSocialFolder(@Scope() scope: ClientScope, @Body() body: UpdateFolderDto): Promise<FolderDto> {
    return FolderDto.from(await this.folders.update(scope, body));
  }

  @Delete('folders')
  @Requires('social:organize')
  @ApiQuery({ name: 'folderId', required: false })
  @ApiQuery({ name: 'force', required: false, example: false })
  @ApiBody({ type: TrashFolderDto, required: false })
  @Operation('Move a folder below Social and everything in it to the trash', [
    'folder_protected',
    'folder_not_found',
    'surface_not_allowed',
    'asset_in_use',
  ])
  async trashSocialFolder(
    @Scope() scope: ClientScope,
    @Query() query: TrashFolderDto,
    @Body() body: TrashFolderDto,
  ): Promise<TrashedFolderDto> {
    const { folderId, force } = requireTrashFolder(query, body);
    const { batch, restorableUntil } = await this.folders.delete(scope, folderId, force);
    return TrashedFolderDto.from(folderId, batch, restorableUntil);
  }
}
