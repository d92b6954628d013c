import type { DoctorReport } from './doctor-report.js';

/** `doctor --format json`, as the contract has it. */
export function doctorJson({ checks }: DoctorReport): string {
  const printed = checks.map(({ id, status, message, fix }) => ({
    id,
    status,
    message,
    fix: fix ?? null,
  }));
  return `${JSON.stringify({ checks: printed }, undefined, 2)}\n`;
}
