import { ACTOR_KINDS } from '../database/entities/domain-event.entity.js';
import type { Page } from '../common/paging/page.js';
import type { AuditEvent } from './audit-event.js';
import type { AuditSubject, SubjectState } from './audit-subjects.repository.js';

/** How the portal shows everyone who is not a user of the client's portal. */
export const AGENCY = 'agency';

export const ACTORS = [...ACTOR_KINDS, AGENCY] as const;

export class ActorDto {
  /** @example "user" */
  kind: (typeof ACTORS)[number];
  id: string | null;
  /** @example "operator@example.com" */
  name: string;
}

/** An event as the caller may see it. */
export interface NamedEvent {
  readonly event: AuditEvent;
  readonly actor: ActorDto;
  readonly subject: AuditSubject;
}

export class AuditAssetDto {
  assetId: string;
  /** For the address of the preview. */
  version: number;
  folderId: string | null;
}

/** What an event is about, as it is now. */
export class AuditSubjectDto {
  /**
   * The current name, or the last known one if it has been deleted. For a delivery or a reference, the title of its asset; for a folder, its
   * path; for a user, the email address.
   * @example "Storefront in autumn"
   */
  name: string | null;
  /**
   * Whether it is in the library, in the trash, or deleted permanently. Null for everything else, such as integrations.
   * @example "live"
   */
  state: SubjectState | null;
  /** The asset that the event is about. Null if there is none, or if it has been deleted permanently. */
  asset: AuditAssetDto | null;
  /**
   * For a delivery, the name of its target.
   * @example "bakery.example"
   */
  targetName: string | null;
}

export class AuditEventDto {
  eventId: string;
  at: Date;
  /**
   * Null for what belongs to no client, such as users, API keys and sign-ins.
   * @example "demo"
   */
  clientId: string | null;
  actor: ActorDto;
  /** @example "client.update" */
  action: string;
  /** @example "client" */
  subjectKind: string;
  /** @example "demo" */
  subjectId: string;
  subject: AuditSubjectDto;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  /** Null in the portal. */
  requestId: string | null;

  static from({ event, actor, subject }: NamedEvent): AuditEventDto {
    return {
      eventId: event.id,
      at: event.at,
      clientId: event.clientId,
      actor,
      action: event.action,
      subjectKind: event.subjectKind,
      subjectId: event.subjectId,
      subject,
      before: event.before,
      after: event.after,
      requestId: event.requestId,
    };
  }
}

export class AuditPageDto {
  events: AuditEventDto[];
  nextCursor: string | null;

  static from({ items, nextCursor }: Page<NamedEvent>): AuditPageDto {
    return { events: items.map((item) => AuditEventDto.from(item)), nextCursor };
  }
}
