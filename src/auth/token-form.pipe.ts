import { Injectable, type PipeTransform } from '@nestjs/common';
import { TokenRequestDto } from './auth.dto.js';

const FIELDS = ['grant_type', 'username', 'password', 'refresh_token'] as const;

/** Keeps the fields we know: RFC 6749 asks to ignore the others, where our own JSON routes refuse them. */
@Injectable()
export class TokenFormPipe implements PipeTransform<unknown, TokenRequestDto> {
  transform(form: unknown): TokenRequestDto {
    const given = (form ?? {}) as Record<string, unknown>;
    return Object.assign(new TokenRequestDto(), Object.fromEntries(FIELDS.map((field) => [field, given[field]])));
  }
}
