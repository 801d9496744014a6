/** The origin of a picture, in the IPTC vocabulary. Networks label generated pictures by it. */
const VOCABULARY = 'http://cv.iptc.org/newscodes/digitalsourcetype/';
const SOURCE_TYPE =
  /DigitalSourceType[\s\S]{0,200}?https?:\/\/cv\.iptc\.org\/newscodes\/digitalsourcetype\/([A-Za-z]{1,64})/i;
const MAX_XMP_BYTES = 1024 * 1024;

/** The last part of the address of the type, for example `trainedAlgorithmicMedia`; null if the packet does not contain it. */
export function digitalSourceTypeIn(xmp: Buffer | null | undefined): string | null {
  if (!xmp) return null;
  return SOURCE_TYPE.exec(xmp.toString('utf8', 0, MAX_XMP_BYTES))?.[1] ?? null;
}

/** An XMP packet that contains only this. */
export function disclosurePacket(digitalSourceType: string): string {
  return [
    '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>',
    '<x:xmpmeta xmlns:x="adobe:ns:meta/">',
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">',
    '<rdf:Description rdf:about="" xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"',
    ` Iptc4xmpExt:DigitalSourceType="${VOCABULARY}${digitalSourceType}"/>`,
    '</rdf:RDF></x:xmpmeta>',
    '<?xpacket end="r"?>',
  ].join('');
}
