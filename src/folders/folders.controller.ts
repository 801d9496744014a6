import { Body, Controller, Delete, Get, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOkResponse, ApiParam, ApiQuery, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { InPicker, Requires, Scope } from '../access/access.decorators.js';
import type { ClientScope } from '../access/principal.js';
import { Problem } from '../common/errors/problem.js';
import { bodyOrQuery } from '../common/http/body-or-query.js';
import { Operation } from '../common/openapi/operation.decorator.js';
import {
  CountedFolderDto,
  CreateFolderDto,
  FolderDto,
  FolderTreeDto,
  TrashedFolderDto,
  TrashFolderDto,
  UpdateFolderDto,
} from './folders.dto.js';
import { FolderTrashService } from './folder-trash.service.js';
import { FoldersService } from './folders.service.js';
import { TrashBatches } from '../trash-batches/trash-batches.js';
import { READ_PROBLEMS } from '../database/reads.js';

@ApiTags('Folders')
abstract class FoldersController {
  constructor(
    private readonly folders: FoldersService,
    private readonly trashing: FolderTrashService,
    private readonly batches: TrashBatches,
  ) {}

  @Get()
  @Requires('assets:read')
  @InPicker()
  @Operation('Get the folder tree with counts', [...READ_PROBLEMS])
  async getFolderTree(@Scope() scope: ClientScope): Promise<FolderTreeDto> {
    const { folders, assetsAtTop } = await this.folders.tree(scope);
    return { folders: folders.map((folder) => CountedFolderDto.from(folder)), assetsAtTop };
  }

  @Post()
  @ApiCreatedResponse({ description: 'The new folder', type: FolderDto })
  @ApiOkResponse({ description: 'The existing folder', type: FolderDto })
  @Requires('assets:write')
  @Operation(
    'Create a folder',
    ['folder_not_found', 'folder_name_taken', 'folder_too_deep', 'too_many_folders'],
    '`name` creates one folder. Creating `Social` or `Social/Posted` again returns 200 with the existing folder. `path` creates a folder and its missing parents in one transaction, and returns 200 if the folder already exists.',
  )
  async createFolder(
    @Scope() scope: ClientScope,
    @Body() body: CreateFolderDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<FolderDto> {
    const { created, ...folder } = await this.folders.createNamed(scope, body);
    response.status(created ? 201 : 200);
    return FolderDto.from(folder);
  }

  @Patch()
  @Requires('assets:write')
  @Operation('Rename or move a folder', [
    'folder_protected',
    'folder_not_found',
    'folder_name_taken',
    'folder_cycle',
    'folder_too_deep',
  ])
  async updateFolder(@Scope() scope: ClientScope, @Body() body: UpdateFolderDto): Promise<FolderDto> {
    return FolderDto.from(await this.folders.update(scope, body));
  }

  @Delete()
  @Requires('assets:write')
  @ApiQuery({ name: 'folderId', required: false })
  @ApiQuery({ name: 'force', required: false, example: false })
  @ApiBody({ type: TrashFolderDto, required: false })
  @Operation('Move a folder and everything in it to the trash', [
    'folder_protected',
    'folder_not_found',
    'asset_in_use',
  ])
  async trashFolder(
    @Scope() scope: ClientScope,
    @Query() query: TrashFolderDto,
    @Body() body: TrashFolderDto,
  ): Promise<TrashedFolderDto> {
    const { folderId, force } = requireTrashFolder(query, body);
    const batch = await this.trashing.trash(scope, folderId, { force });
    return TrashedFolderDto.from(folderId, batch, this.batches.restorableUntil(batch));
  }
}

export function requireTrashFolder(
  query: TrashFolderDto,
  body: TrashFolderDto,
): { folderId: string; force: boolean } {
  const folderId = bodyOrQuery('folderId', body.folderId, query.folderId);
  if (folderId === undefined) throw Problem.validation('folderId', 'folderId is required');
  return { folderId, force: body.force ?? query.force ?? false };
}

@ApiParam({ name: 'clientId', example: 'demo' })
@Controller('admin/clients/:clientId/assets/folders')
export class AdminFoldersController extends FoldersController {}

@Controller('portal/assets/folders')
export class PortalFoldersController extends FoldersController {}
