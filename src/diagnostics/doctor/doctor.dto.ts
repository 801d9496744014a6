import { IsOptional, IsString, MaxLength } from 'class-validator';

export class ExamineStorageDto {
  /**
   * The origin of a page that should be able to upload.
   * @example "https://portal.example.com"
   */
  @IsOptional()
  @IsString()
  @MaxLength(300)
  origin?: string;
}
