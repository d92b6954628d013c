import { forTerminal } from '../core/neutralise.js';
import type { CalibrationReport } from './calibration-report.js';

/** `calibrate --format json`: `rows` and `picked` as the contract has them, and what they rest on. */
export function calibrateJson(report: CalibrationReport): string {
  const { rows, picked, server, wantedRuns, stopped } = report;
  const value = {
    rows: rows.map(row => ({
      protocol: row.protocol,
      toolChoice: row.toolChoice,
      prompt: row.prompt,
      runs: row.runs,
      calls: row.calls,
      faithful: row.faithful,
      wrongName: row.wrongName,
      refused: row.refused,
      ms: row.ms,
    })),
    picked: picked?.protocol ?? null,
    pickedToolChoice: picked?.toolChoice ?? null,
    server: {
      model: forTerminal(server.name),
      baseUrl: server.baseUrl,
      version: server.version === undefined ? null : forTerminal(server.version),
    },
    wantedRuns,
    complete: stopped === undefined,
    reason: stopped === undefined ? null : forTerminal(stopped),
  };
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
