import { ApiParam } from '@nestjs/swagger';

/** Describes `:assetId`, which takes either spelling everywhere. */
export const AssetIdParam = () =>
  ApiParam({
    name: 'assetId',
    description: 'The id or the assetRef',
    example: 'asset_01h455vb4pex5vsknk084sn02q',
  });
