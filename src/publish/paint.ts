import type { Severity } from '../core/finding.js';

type Brush = (text: string) => string;

export interface Paint extends Readonly<Record<Severity, Brush>> {
  readonly good: Brush;
  readonly bold: Brush;
  readonly dim: Brush;
}

/** Colours by ANSI SGR, or none at all. Text comes in already neutralised. */
export function paint(isOn: boolean): Paint {
  const brush =
    (code: number, end: number): Brush =>
    text =>
      isOn && text !== '' ? `\x1b[${code}m${text}\x1b[${end}m` : text;
  return {
    error: brush(31, 39),
    warning: brush(33, 39),
    info: brush(34, 39),
    good: brush(32, 39),
    bold: brush(1, 22),
    dim: brush(2, 22),
  };
}
