import type { LineCheck } from './check.js';
import { type CodePattern, judgePatterns } from './code-pattern.js';

/** Statements that pause the program for a debugger. */
export const debuggerStatement: LineCheck = {
  rules: { debugger: 'warning' },
  guards: false,
  open: (file, view) =>
    judgePatterns({ file, view }, PATTERNS, { rule: 'debugger', isFineInDebugBuilds: true }),
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
    hints: ['binding.', 'byebug', 'debugger', 'jard', 'pry', 'Pry', 'save_'],
    pattern:
      /\bbinding\.(?:pry|irb|break|b|remote_pry|pry_remote|console)\b|\bPry\.rescue\b|(?:^|;|\bthen|\bdo|\{|\|\s|&&)\s*(?:(?:Kernel|::Kernel)\.)?(?:byebug|remote_byebug|debugger|jard)(?![\w.:?!]|\s*[=(]?=)|^\s*pry(?:\s*(?:$|#)|\s+\w)|(?:^|;|\{|&&)\s*(?:page\.)?(?:save_and_open_(?:page|screenshot)\b|save_(?:page|screenshot)(?:\s+["'\w:]|\s*$))/,
    message: stops('A breakpoint'),
  },
  {
    languages: ['ruby'],
    hints: ['debug/'],
    pattern: /(?:^|;)\s*require\b/,
    withStrings:
      /\brequire\s*\(?\s*["']debug\/(?:open|start)(?:_nonstop)?["']\s*\)?\s*(?:$|;|#|if\b|unless\b)/,
    message: stops('This require'),
  },
  {
    languages: ['swift', 'c'],
    hints: ['raise(', '__builtin_', 'DebugBreak', '__debugbreak'],
    pattern:
      /(?<![\w.])raise\(\s*SIG(?:INT|TRAP|STOP)\s*\)|(?<!\w)__builtin_debugtrap\(|(?<!\w)(?:__debugbreak|DebugBreak)\(/,
    message: stops('This call'),
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
