import { PickType } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsNotEmpty, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { CLIENT_ID_PATTERN } from '../common/ids.js';
import { trimmed } from '../common/http/trimmed.js';
import type { Client } from '../database/entities/client.entity.js';

export class CreateClientDto {
  /**
   * Generated if omitted.
   * @example "corner-bakery"
   */
  @IsOptional()
  @IsString()
  @Matches(CLIENT_ID_PATTERN, {
    message: 'clientId must be 1–64 letters, digits, _ or -, starting with a letter or digit',
  })
  clientId?: string;

  /** @example "Corner Bakery" */
  @Transform(trimmed)
  @IsString()
  @IsNotEmpty()
  @MaxLength(200)
  name: string;
}

export class UpdateClientDto extends PickType(CreateClientDto, ['name']) {}

export class ClientDto {
  /** @example "corner-bakery" */
  clientId: string;
  /** @example "Corner Bakery" */
  name: string;
  createdAt: Date;
  updatedAt: Date;

  static from(client: Client): ClientDto {
    return {
      clientId: client.id,
      name: client.name,
      createdAt: client.createdAt,
      updatedAt: client.updatedAt,
    };
  }
}

export class ClientPageDto {
  clients: ClientDto[];
  nextCursor: string | null;
}
