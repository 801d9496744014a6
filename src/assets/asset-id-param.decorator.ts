import { ApiParam } from '@nestjs/swagger';

/** Describes `:assetId`, which accepts either form everywhere. */
export const AssetIdParam = () =>
  ApiParam({
    name: 'assetId',
    description: 'The asset id or assetRef',
    example: 'asset_01h455vb4pex5vsknk084sn02q',
  });
