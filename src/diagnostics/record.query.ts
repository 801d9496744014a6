import { IsOptional, Matches } from 'class-validator';
import { CLIENT_ID_PATTERN } from '../common/ids.js';

export class RecordQuery {
  /**
   * Required if several of your clients have a record with this id.
   */
  @IsOptional()
  @Matches(CLIENT_ID_PATTERN)
  clientId?: string;
}
