import type { LineCheck } from './check.js';
import { type CodePattern, judgePatterns } from './code-pattern.js';

/** Statements that pause the program for a debugger. */
export const debuggerStatement: LineCheck = {
  rules: { debugger: 'warning' },
  guards: false,
  open: (file, view) => judgePatterns({ file, view }, PATTERNS, { rule: 'debugger' }),
};

const stops = (what: string): string =>
  `${what} pauses the program for a debugger. Remove it before merging.`;

const PATTERNS: readonly CodePattern[] = [
  {
    languages: ['javascript'],
    hints: ['debugger'],
    pattern: /(?:^|[;{})]|\belse|\bdo|=>)\s*debugger\s*(?:;|\}|$)/,
    message: stops('`debugger`'),
  },
  {
    languages: ['javascript'],
    hints: ['pause'],
    pattern: /\b(?:page|\w+Page|cy)(?:\.pause|\[(["'`])pause\1\])\s*\(\s*\)/,
    message: stops('`pause()`'),
  },
  {
    languages: ['javascript'],
    hints: ['browser.debug'],
    pattern: /\bbrowser\.debug\(\s*\)/,
    message: stops('`browser.debug()`'),
  },
  {
    languages: ['python'],
    hints: ['set_trace', 'breakpoint', 'embed()', 'wait_for_client'],
    pattern:
      /(?<![\w.])(?:i?pdb|pudb|wdb|rpdb|celery\.contrib\.rdb)\.set_trace\s*\(|(?<![\w.]|def )(?:breakpoint|set_trace)\s*\(|\bIPython\.embed\s*\(|\bdebugpy\.(?:breakpoint|wait_for_client)\s*\(/,
    message: stops('A breakpoint'),
  },
  {
    languages: ['ruby'],
    hints: ['binding.', 'byebug', 'debugger'],
    pattern:
      /\bbinding\.(?:pry|irb|break|b|remote_pry)\b|(?:^|;|\bthen|\bdo|\{|&&)\s*(?:byebug|debugger)\s*(?:$|;|\}|#|\bif\b|\bunless\b)/,
    message: stops('A breakpoint'),
  },
  {
    languages: ['go'],
    hints: ['runtime.Breakpoint'],
    pattern: /\bruntime\.Breakpoint\(\)/,
    message: stops('`runtime.Breakpoint()`'),
  },
  {
    languages: ['csharp'],
    hints: ['Debugger.'],
    pattern: /\bDebugger\.(?:Break|Launch)\s*\(/,
    message: stops('The debugger call'),
  },
  {
    languages: ['php'],
    hints: ['xdebug_break'],
    pattern: /\bxdebug_break\s*\(/,
    message: stops('`xdebug_break()`'),
  },
  {
    languages: ['elixir'],
    hints: ['IEx.pry'],
    pattern: /\bIEx\.pry\b/,
    message: stops('`IEx.pry`'),
  },
];
