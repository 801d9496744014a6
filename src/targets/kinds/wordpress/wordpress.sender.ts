import { logger } from '../../../common/logging/logger.js';
import type { Delivery } from '../../../database/entities/delivery.entity.js';
import { DeliveryError } from '../../delivery-error.js';
import { singleLine } from '../../plain-line.rules.js';
import { escapeAltText, escapeContent, escapeHtml } from './wordpress-text.rules.js';
import type { KindServices } from '../kind-definition.js';
import { markerOf, markersOf } from './marker.rules.js';
import type { Arrival, Attempt, Sender } from '../../sender.js';
import { type Attachment, lacksSizes, stateOf } from './wordpress-attachment.rules.js';
import { WordPressMedia, type WordPressSite } from './wordpress-media.js';
import { findOtherRestRoot } from './wordpress-rest-root.js';

/**
 * Delivers to the media library of a WordPress site, exactly once as far as the site allows: an upload whose response was lost may have
 * been stored, so each retry first looks for the slug that the earlier attempts requested.
 */
export class WordPressSender implements Sender {
  constructor(
    private readonly site: WordPressSite,
    private readonly services: KindServices,
    /** Called when the REST API is found at another address than before. */
    private readonly onFound: (found: { readonly restRoot: string }) => Promise<void>,
  ) {}

  send(attempt: Attempt): Promise<Arrival> {
    const sent = { ...attempt.delivery, sentSizes: [...attempt.delivery.sentSizes] };
    return this.withMedia(attempt.signal, (media) => this.sendTo(media, attempt, sent));
  }

  settle(delivery: Delivery, keep: boolean, signal: AbortSignal): Promise<Arrival | null> {
    return this.withMedia(signal, (media) => this.settleIn(media, delivery, keep));
  }

  /** Visitors see the slug in the address of the attachment's page. */
  unmark({ id }: Delivery, remoteId: string, signal: AbortSignal): Promise<void> {
    return this.withMedia(signal, async (media) => {
      const attachment = await media.get(Number(remoteId));
      if (attachment !== null && markersOf(id).includes(attachment.slug))
        await media.resetSlug(attachment.id);
    });
  }

  /** A site that has changed its permalinks has its REST API elsewhere. The work then starts again, there. */
  private async withMedia<T>(signal: AbortSignal, work: (media: WordPressMedia) => Promise<T>): Promise<T> {
    const mediaAt = (restRoot: string) =>
      new WordPressMedia({ ...this.site, restRoot }, this.services, signal);
    try {
      return await work(mediaAt(this.site.restRoot));
    } catch (error) {
      if (!(error instanceof DeliveryError) || !error.isPage) throw error;
      const restRoot = await findOtherRestRoot(this.services.outbound, this.site, error, signal);
      await this.onFound({ restRoot });
      return work(mediaAt(restRoot));
    }
  }

  /** `sent` learns what is sent, so that a second call looks for it. */
  private async sendTo(media: WordPressMedia, attempt: Attempt, sent: Delivery): Promise<Arrival> {
    const { delivery } = attempt;
    if (sent.sentSizes.length > 0) {
      const earlier = await this.findEarlier(media, sent);
      if (earlier !== null) return earlier;
    }
    const file = await attempt.prepare();
    await attempt.announce(file.sizeBytes);
    sent.sentSizes.push(file.sizeBytes);
    const { attachment, attachmentId, error } = await media.upload(fieldsOf(delivery), file);
    if (attachment?.slug === markerOf(delivery.id)) return arrivalOf(attachment);
    // A different slug means that an earlier upload has ours, possibly one that has just appeared.
    if (attachment !== null) return this.chooseOne(media, sent, attachment);
    if (attachmentId !== null) {
      const arrival = await this.readAnnounced(media, sent, attachmentId);
      if (arrival !== null) return arrival;
    }
    throw error!;
  }

  private async settleIn(media: WordPressMedia, delivery: Delivery, keep: boolean): Promise<Arrival | null> {
    const found = await media.find(markersOf(delivery.id));
    // Keep the recorded attachment, even if people have changed its slug. All others are duplicates.
    const kept = found.find((each) =>
      delivery.remoteId === null
        ? stateOf(each, delivery.sentSizes) === 'complete'
        : String(each.id) === delivery.remoteId,
    );
    for (const { id } of found) if (!keep || id !== kept?.id) await media.delete(id);
    return keep && kept ? arrivalOf(kept) : null;
  }

  /** Looks for what an earlier attempt left and keeps the first complete attachment. Null if there is none and a new upload is safe. */
  private async findEarlier(media: WordPressMedia, delivery: Delivery): Promise<Arrival | null> {
    const found = await media.find(markersOf(delivery.id));
    const complete = found.find((each) => stateOf(each, delivery.sentSizes) === 'complete');
    if (complete !== undefined) return this.keep(media, delivery, complete, found);
    if (found.some((each) => stateOf(each, delivery.sentSizes) === 'unfinished'))
      throw new DeliveryError('upload_unfinished', 'look_up');
    for (const { id } of found) await media.delete(id);
    return null;
  }

  private async chooseOne(media: WordPressMedia, delivery: Delivery, uploaded: Attachment): Promise<Arrival> {
    try {
      const found = await media.find(markersOf(delivery.id));
      const complete = found.find((each) => stateOf(each, delivery.sentSizes) === 'complete') ?? uploaded;
      return await this.keep(media, delivery, complete, found);
    } catch (error) {
      if (!(error instanceof DeliveryError)) throw error;
      // The file has arrived; which copy to keep is decided later.
      return { ...arrivalOf(uploaded), isDoubtful: true };
    }
  }

  /** For an unreadable response, or an error during processing, with the attachment id in the headers. */
  private async readAnnounced(
    media: WordPressMedia,
    delivery: Delivery,
    id: number,
  ): Promise<Arrival | null> {
    const attachment = await media.get(id).catch((error: unknown) => {
      if (error instanceof DeliveryError) return null;
      throw error;
    });
    if (attachment === null || stateOf(attachment, delivery.sentSizes) !== 'complete') return null;
    if (attachment.isImage && !attachment.hasSizes) await this.createSizes(media, delivery, attachment);
    if (attachment.slug === markerOf(delivery.id)) return arrivalOf(attachment);
    return this.chooseOne(media, delivery, attachment);
  }

  private async keep(
    media: WordPressMedia,
    delivery: Delivery,
    kept: Attachment,
    found: readonly Attachment[],
  ): Promise<Arrival> {
    let isDoubtful = false;
    for (const { id } of found) {
      if (id === kept.id) continue;
      await media.delete(id).catch((error: unknown) => {
        isDoubtful = true;
        logger.warn(
          { deliveryId: delivery.id, err: error },
          'a duplicate could not be removed; will try again later',
        );
      });
    }
    if (lacksSizes(kept)) await this.createSizes(media, delivery, kept);
    return { ...arrivalOf(kept), isDoubtful };
  }

  /** The file is complete without them, so a failure here does not fail the delivery. */
  private async createSizes(media: WordPressMedia, delivery: Delivery, { id }: Attachment): Promise<void> {
    await media.createSizes(id).catch((error: unknown) => {
      logger.warn(
        { deliveryId: delivery.id, err: error },
        'the site could not make the smaller sizes of an upload',
      );
    });
  }
}

/** Sites store HTML unchanged, including scripts, so everything is sent as escaped plain text. */
function fieldsOf(delivery: Delivery): Record<string, string> {
  return {
    slug: markerOf(delivery.id),
    title: escapeHtml(singleLine(delivery.title)),
    alt_text: escapeAltText(delivery.altText),
    caption: escapeContent(delivery.caption),
    description: escapeContent(delivery.description),
  };
}

function arrivalOf({ id, url }: Attachment): Arrival {
  return { remoteId: String(id), remoteUrl: url, isDoubtful: false, isMarked: true };
}
