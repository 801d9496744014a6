import { Transform } from 'class-transformer';
import { IsNotEmpty, IsString, Matches, MaxLength } from 'class-validator';
import { IsWebAddress } from '../../common/http/is-web-address.decorator.js';
import { trimmed } from '../../common/http/trimmed.js';
import type { LandingPage } from '../../database/entities/landing-page.entity.js';

export const SLUG_PATTERN = /^[a-z0-9](?:[a-z0-9-]{0,98}[a-z0-9])?$/;

export class CreateLandingPageDto {
  /** @example "autumn-bread" */
  @IsString()
  @Matches(SLUG_PATTERN, { message: 'slug must be 1–100 lower-case letters, digits and -' })
  slug: string;

  /** @example "https://bakery.example/autumn" */
  @IsWebAddress()
  url: string;

  /** @example "Autumn breads" */
  @Transform(trimmed)
  @IsString()
  @IsNotEmpty()
  @MaxLength(200)
  name: string;
}

export class LandingPageDto {
  slug: string;
  clientId: string;
  url: string;
  name: string;
  createdAt: Date;

  static from({ slug, clientId, url, name, createdAt }: LandingPage): LandingPageDto {
    return { slug, clientId, url, name, createdAt };
  }
}

export class LandingPagePageDto {
  landingPages: LandingPageDto[];
  nextCursor: string | null;
}

export class AttributionDto {
  /** @example "autumn-bread" */
  slug: string;
  /** @example "demo" */
  clientId: string;
  /** @example "google" */
  source: string;
  /** @example "cpc" */
  medium: string;
  /** @example "Paid search" */
  channel: string;
  campaign: string | null;
  /** @example { "utm_source": "google" } */
  utm: Record<string, string>;
  /** @example { "gclid": "abc" } */
  clickIds: Record<string, string>;
  referrer: string | null;
}
