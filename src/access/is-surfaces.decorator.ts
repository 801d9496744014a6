import { applyDecorators } from '@nestjs/common';
import { ArrayMaxSize, IsArray, IsIn } from 'class-validator';
import { SURFACES } from '../database/entities/asset.entity.js';

/** A list of surfaces, whether of an asset or of an API key. */
export const IsSurfaces = () =>
  applyDecorators(IsArray(), ArrayMaxSize(SURFACES.length), IsIn(SURFACES, { each: true }));
