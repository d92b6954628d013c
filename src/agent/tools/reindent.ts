/**
 * New text for a place that begins behind an indentation which the old text left out. Its further
 * lines may have been written from the margin of the old text or from the margin of the file; lines
 * that could not stand in the file as they are were meant from the former, and are moved.
 */
export function reindent(newText: string, indent: string): string {
  const [first = '', ...rest] = newText.split('\n');
  const written = rest.filter(line => line.trim() !== '');
  if (indent === '' || written.length === 0) return newText;
  const least = Math.min(...written.map(line => line.length - line.trimStart().length));
  // A body cannot be level with the line that opens it.
  const isBody = first.trimEnd().endsWith(':') && least <= indent.length;
  if (least >= indent.length && !isBody) return newText;
  return [first, ...rest.map(line => (line.trim() === '' ? line : indent + line))].join('\n');
}
