import { widthOf } from './measure-cells.js';

/** Breaks neutralised text at spaces so that each line fits; a word too long stays whole. */
export function wrapText(text: string, columns: number): string[] {
  return text.split('\n').flatMap(paragraph => wrapParagraph(paragraph.trim(), columns));
}

function wrapParagraph(paragraph: string, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  let used = 0;
  for (const word of paragraph.split(' ').filter(part => part !== '')) {
    const width = widthOf(word);
    if (line !== '' && used + 1 + width > columns) {
      lines.push(line);
      line = '';
      used = 0;
    }
    line = line === '' ? word : `${line} ${word}`;
    used += width + (used === 0 ? 0 : 1);
  }
  return line === '' ? lines : [...lines, line];
}
