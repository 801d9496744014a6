import fc from 'fast-check';
import { XmlSyntaxError, childText, element, parseXml, xmlDocument } from './xml.js';

describe('xml', () => {
  it('reads back any text it has written', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(childText(parseXml(xmlDocument('Root', element('Key', text))), 'Key')).toBe(text);
      }),
    );
  });

  it('reads declarations, comments, namespaces, attributes, and empty elements', () => {
    const source =
      '<?xml version="1.0"?><!-- a --> <s:A xmlns:s="x"><B c="d"/><B>&lt;&#65;&#x42;&apos;</B></s:A>\n';
    const { name, children } = parseXml(source);
    expect([name, children.map(({ text }) => text)]).toEqual(['A', ['', "<AB'"]]);
  });

  it.each([
    '',
    'text',
    '<a>',
    '<a></b>',
    '<a></a><b></b>',
    '<a/>tail',
    '<a>&unknown;</a>',
    '<a>& b</a>',
    '<a>&toString;</a>',
    '<a>&#xD800;</a>',
    '<a>&#x110000;</a>',
    '<!DOCTYPE a [<!ENTITY e "x">]><a>&e;</a>',
    '<a><![CDATA[x]]></a>',
    '<a'.repeat(10),
    '<a>'.repeat(50) + '</a>'.repeat(50),
  ])('rejects %j', (source) => {
    expect(() => parseXml(source)).toThrow(XmlSyntaxError);
  });

  it('parses a megabyte of nonsense quickly', () => {
    const started = Date.now();
    for (const piece of ['<', '<!--', '&', '<a ', '-', '<?xml ']) {
      expect(() => parseXml(`<a>${piece.repeat((1024 * 1024) / piece.length)}`)).toThrow(XmlSyntaxError);
    }
    expect(Date.now() - started).toBeLessThan(5000);
  });
});
