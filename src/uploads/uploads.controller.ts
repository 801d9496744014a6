import { Body, Controller, Delete, Get, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { AssetDto } from '../assets/assets.dto.js';
import { InPicker, Requires, Scope } from '../access/access.decorators.js';
import type { ClientScope } from '../access/principal.js';
import { Operation } from '../common/openapi/operation.decorator.js';
import { FinalizeService } from './finalize.service.js';
import {
  CreatedUploadDto,
  CreateUploadSessionDto,
  FinalizeUploadDto,
  OpenedUploadDto,
  UploadSessionDto,
} from './uploads.dto.js';
import { UploadsService } from './uploads.service.js';
import { STORAGE_PROBLEMS } from '../storage/storage-errors.js';

/** The upload flow, the same on both sides: create a session, PUT the file, finalize (specification, section 4). */
@ApiTags('Uploads')
abstract class UploadsController {
  constructor(
    private readonly uploads: UploadsService,
    private readonly finalizing: FinalizeService,
  ) {}

  @Post()
  @Requires('assets:write')
  @InPicker()
  @Operation('Create an upload session', [
    'folder_not_found',
    'file_too_large',
    'too_many_open_sessions',
    ...STORAGE_PROBLEMS,
    'bucket_belongs_to_another_installation',
    'storage_read_only',
  ])
  async createUploadSession(
    @Scope() scope: ClientScope,
    @Body() body: CreateUploadSessionDto,
  ): Promise<CreatedUploadDto> {
    const opened = await this.uploads.create(scope, body);
    return { ...OpenedUploadDto.from(opened), uploadToken: opened.uploadToken };
  }

  @Post('finalize')
  @ApiCreatedResponse({ description: 'The new asset', type: AssetDto })
  @ApiOkResponse({ description: 'The asset, if the upload was already finalized', type: AssetDto })
  @Requires('assets:write')
  @InPicker()
  @Operation(
    'Turn an uploaded file into an asset',
    [
      'surface_not_allowed',
      'folder_not_found',
      'upload_session_not_found',
      'upload_session_closed',
      'finalize_in_progress',
      'upload_incomplete',
      'upload_session_expired',
      'unsupported_media_type',
      'content_mismatch',
      'size_mismatch',
      'media_invalid',
      'checksum_mismatch',
      'server_busy',
      ...STORAGE_PROBLEMS,
      'bucket_belongs_to_another_installation',
      'storage_read_only',
    ],
    'Repeating the request with the same token returns the same asset (200), so a lost response can be retried.',
  )
  async finalizeUploadSession(
    @Scope() scope: ClientScope,
    @Body() body: FinalizeUploadDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AssetDto> {
    const { asset, created } = await this.finalizing.finalize(scope, body);
    response.status(created ? 201 : 200);
    return AssetDto.from(asset, scope.actor);
  }

  @Get(':sessionId')
  @Requires('assets:write')
  @InPicker()
  @Operation('Get the status of an upload session', ['upload_session_not_found', ...STORAGE_PROBLEMS])
  async getUploadSession(
    @Scope() scope: ClientScope,
    @Param('sessionId') sessionId: string,
  ): Promise<UploadSessionDto> {
    const { session, uploaded } = await this.uploads.get(scope, sessionId);
    return UploadSessionDto.from(session, uploaded);
  }

  @Delete(':sessionId')
  @Requires('assets:write')
  @InPicker()
  @Operation('Cancel an upload and delete the uploaded bytes', [
    'upload_session_not_found',
    'upload_session_closed',
    'upload_session_expired',
    'finalize_in_progress',
  ])
  async cancelUploadSession(
    @Scope() scope: ClientScope,
    @Param('sessionId') sessionId: string,
  ): Promise<UploadSessionDto> {
    return UploadSessionDto.from(await this.uploads.cancel(scope, sessionId), false);
  }

  @Post(':sessionId/renew')
  @HttpCode(200)
  @Requires('assets:write')
  @InPicker()
  @Operation('Renew the upload URLs of an open session', [
    'upload_session_not_found',
    'upload_session_closed',
    'upload_session_expired',
    'finalize_in_progress',
    ...STORAGE_PROBLEMS,
    'bucket_belongs_to_another_installation',
    'storage_read_only',
  ])
  async renewUploadSession(
    @Scope() scope: ClientScope,
    @Param('sessionId') sessionId: string,
  ): Promise<OpenedUploadDto> {
    return OpenedUploadDto.from(await this.uploads.renew(scope, sessionId));
  }
}

@ApiParam({ name: 'clientId', example: 'demo' })
@Controller('admin/clients/:clientId/assets/upload-session')
export class AdminUploadsController extends UploadsController {}

@Controller('portal/assets/upload-session')
export class PortalUploadsController extends UploadsController {}
