import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { InPicker, Requires, Scope } from '../access/access.decorators.js';
import type { ClientScope } from '../access/principal.js';
import { IfMatch } from '../common/http/if-match.js';
import { Operation } from '../common/openapi/operation.decorator.js';
import type { Asset } from '../database/entities/asset.entity.js';
import { TrashBatches } from '../trash-batches/trash-batches.js';
import { AssetIdParam } from './asset-id-param.decorator.js';
import { AssetListQuery } from './asset-list.query.js';
import {
  AssetDto,
  CreatorsDto,
  ForceQuery,
  LibraryPageDto,
  TagsDto,
  TrashedAssetDto,
  UpdateAssetDto,
} from './assets.dto.js';
import { AssetsService } from './assets.service.js';
import { AssetEditsService } from './asset-edits.service.js';
import { BulkResponseDto, BulkDto, UpdateAssetsDto } from './bulk.dto.js';
import { BulkService } from './bulk.service.js';
import { LibraryService } from './library.service.js';
import { READ_PROBLEMS } from '../database/reads.js';

const IfMatchHeader = () =>
  ApiHeader({
    name: 'If-Match',
    required: false,
    description: 'The expected version, in quotes',
    example: '"1"',
  });

const Versioned = () =>
  ApiOkResponse({
    type: AssetDto,
    headers: {
      ETag: {
        description: 'The version, for the next `If-Match`',
        schema: { type: 'string' },
        example: '"1"',
      },
    },
  });

/** The routes of the library, the same on both sides. */
@ApiTags('Assets')
abstract class AssetsController {
  constructor(
    private readonly assets: AssetsService,
    private readonly library: LibraryService,
    private readonly bulks: BulkService,
    private readonly edits: AssetEditsService,
    private readonly batches: TrashBatches,
  ) {}

  @Get()
  @Requires('assets:read')
  @InPicker()
  @Operation('List a folder: its path, its subfolders and a page of its assets', [
    'folder_not_found',
    'surface_not_allowed',
    ...READ_PROBLEMS,
  ])
  async listAssets(@Scope() scope: ClientScope, @Query() query: AssetListQuery): Promise<LibraryPageDto> {
    return LibraryPageDto.from(await this.library.list(scope, query), scope.actor);
  }

  @Get('tags')
  @Requires('assets:read')
  @InPicker()
  @Operation('List tags with counts, most used first', [...READ_PROBLEMS])
  async listTags(@Scope() scope: ClientScope): Promise<TagsDto> {
    return { tags: await this.library.tags(scope) };
  }

  @Get('creators')
  @Requires('assets:read')
  @Operation('List who uploaded the assets', [...READ_PROBLEMS])
  async listCreators(@Scope() scope: ClientScope): Promise<CreatorsDto> {
    return { creators: await this.library.creators(scope) };
  }

  @Post('bulk')
  @HttpCode(200)
  @Requires('assets:write')
  @Operation('Apply one action to many assets; all or nothing', ['folder_not_found', 'bulk_failed'])
  async applyBulkAction(@Scope() scope: ClientScope, @Body() body: BulkDto): Promise<BulkResponseDto> {
    return this.bulks.run(scope, body);
  }

  @Patch()
  @Requires('assets:write')
  @Operation(
    'Update many assets, each with values of its own; all or nothing',
    ['bulk_failed'],
    'With the version and the earlier values in the results of an `edit`, this undoes it unless somebody else has changed the assets since.',
  )
  async updateAssets(@Scope() scope: ClientScope, @Body() body: UpdateAssetsDto): Promise<BulkResponseDto> {
    return { results: await this.edits.update(scope, body.assets) };
  }

  @Get(':assetId')
  @AssetIdParam()
  @Requires('assets:read')
  @Versioned()
  @Operation('Get an asset', ['asset_not_found'])
  async getAsset(
    @Scope() scope: ClientScope,
    @Param('assetId') assetId: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AssetDto> {
    return versioned(response, scope, await this.assets.get(scope, assetId));
  }

  @Patch(':assetId')
  @AssetIdParam()
  @IfMatchHeader()
  @Requires('assets:write')
  @Versioned()
  @Operation('Update or move an asset', ['asset_not_found', 'folder_not_found', 'version_mismatch'])
  async updateAsset(
    @Scope() scope: ClientScope,
    @Param('assetId') assetId: string,
    @IfMatch() version: number | null,
    @Body() body: UpdateAssetDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AssetDto> {
    return versioned(response, scope, await this.assets.update(scope, assetId, body, version));
  }

  @Delete(':assetId')
  @AssetIdParam()
  @IfMatchHeader()
  @Requires('assets:write')
  @Operation(
    'Move an asset to the trash',
    ['asset_not_found', 'asset_in_use', 'version_mismatch'],
    'If references use the asset, the request fails with 409 `asset_in_use` and up to 20 of its `usages`. `force=true` overrides this and requires `assets:trash-used`.',
  )
  async trashAsset(
    @Scope() scope: ClientScope,
    @Param('assetId') assetId: string,
    @IfMatch() version: number | null,
    @Query() { force }: ForceQuery,
  ): Promise<TrashedAssetDto> {
    const { asset, batch } = await this.assets.trash(scope, assetId, version, force);
    return { assetId: asset.id, batchId: batch.id, restorableUntil: this.batches.restorableUntil(batch) };
  }
}

/** The version as an entity tag, for the next `If-Match`. */
function versioned(response: Response, { actor }: ClientScope, asset: Asset): AssetDto {
  response.setHeader('ETag', `"${asset.version}"`);
  return AssetDto.from(asset, actor);
}

@ApiParam({ name: 'clientId', example: 'demo' })
@Controller('admin/clients/:clientId/assets')
export class AdminAssetsController extends AssetsController {}

@Controller('portal/assets')
export class PortalAssetsController extends AssetsController {}
