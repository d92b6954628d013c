import type { Severity } from '../core/finding.js';
import { placeFromText } from './json-value.js';
import { notThere } from './read-json.js';
import { readXml, type XmlElement } from './read-xml.js';
import { noReport, type RawReport, rawReport, type Sighting } from './report.js';

/** Checkstyle's XML, which many other tools write too. */
export function parseCheckstyle(output: string): RawReport {
  // A wrapper may print something before the document.
  const start = output.search(/<(?:\?xml|checkstyle)\b/);
  if (output.trim() === '') {
    return noReport('checkstyle', 'printed nothing where a checkstyle report belongs');
  }
  if (start === -1) return noReport('checkstyle', notThere(output, 'checkstyle'));
  const reading = readXml(output.slice(start, output.lastIndexOf('>') + 1));
  if (!reading.ok) return noReport('checkstyle', `the checkstyle report ${reading.why}`);
  if (!reading.elements.some(({ name }) => name === 'checkstyle')) {
    return noReport('checkstyle', 'the XML report has no <checkstyle> element');
  }
  return rawReport('checkstyle', 'utf16', { sightings: sightingsIn(reading.elements) });
}

function sightingsIn(elements: readonly XmlElement[]): Sighting[] {
  const sightings: Sighting[] = [];
  let file: string | undefined;
  for (const { name, attributes } of elements) {
    if (name === 'file') file = attributes.get('name');
    if (name === 'error') sightings.push(sighting(file, attributes));
  }
  return sightings;
}

const sighting = (file: string | undefined, attributes: ReadonlyMap<string, string>): Sighting => ({
  file,
  rule: attributes.get('source') || null,
  severity: severityOf(attributes.get('severity')),
  message: attributes.get('message') ?? '',
  line: placeFromText(attributes.get('line')),
  column: placeFromText(attributes.get('column')),
});

/** Checkstyle itself takes a missing severity for an error. */
function severityOf(value: string | undefined): Severity {
  if (value === 'warning') return 'warning';
  return value === 'info' || value === 'ignore' ? 'info' : 'error';
}
