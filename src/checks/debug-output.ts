import type { LineCheck } from './check.js';
import { type CodePattern, judgePatterns } from './code-pattern.js';

/**
 * Output that was meant for the author alone. Errors and warnings on the console are left alone, and
 * so is everything in tests, scripts and command lines, where printing is the purpose; `print` of
 * Python, Swift and Go's `fmt` cannot be told from real output.
 */
export const debugOutput: LineCheck = {
  rules: { 'debug-output': 'info' },
  guards: false,
  open: (file, view) => {
    const judge = judgePatterns({ file, view }, PATTERNS, {
      rule: 'debug-output',
      applies: role => !role.mayPrint,
      allowedBy: ['no-console', 'noConsole'],
    });
    if (judge === undefined) return undefined;
    let prints = false;
    return line => {
      // A script that is started by itself, or a module with a console of its own.
      if (line.number === 1 && line.text.startsWith('#!')) prints = true;
      if (line.text.includes('console') && OWN_CONSOLE.test(line.text)) prints = true;
      const hits = judge(line);
      return prints ? [] : hits;
    };
  },
};

const OWN_CONSOLE =
  /\b(?:var|let|const|import)\s+(?:\{\s*)?console\b|\bas\s+console\b|^\s*import\s+console\b/;

const leftOver = (what: string): string =>
  `${what} looks like output left over from debugging. Remove it or use the project's logger.`;

const PATTERNS: readonly CodePattern[] = [
  {
    languages: ['javascript'],
    hints: ['console'],
    pattern: /(?<![\w$.])console\s*\.\s*(?:log|debug|dir|trace|table)\s*\(/,
    message: leftOver('This console call'),
  },
  {
    languages: ['javascript'],
    hints: ['console'],
    pattern: /[(,]\s*console\.(?:log|debug|dir|trace|table)\s*[,)]/,
    message: leftOver('This console call'),
  },
  {
    languages: ['rust'],
    hints: ['dbg!'],
    pattern: /(?<!\w)dbg!\s*[([{]/,
    message: leftOver('`dbg!`'),
  },
  {
    languages: ['go'],
    hints: ['spew.', 'println'],
    pattern: /\bspew\.F?[Dd]ump\(|(?<![\w.]|func )println\(/,
    message: leftOver('This call'),
  },
  {
    languages: ['php'],
    hints: ['var_dump', 'dd(', 'dump(', 'print_r'],
    pattern: /(?<![\w>:$\\]|function )(?:var_dump|dd|ddd|dump)\s*\(|^\s*print_r\s*\(/,
    message: leftOver('This dump'),
  },
  {
    languages: ['java'],
    hints: ['System.out.'],
    pattern: /\bSystem\.out\.print(?:ln)?\s*\(/,
    message: leftOver('`System.out`'),
  },
  {
    languages: ['elixir'],
    hints: ['IO.inspect'],
    pattern: /\bIO\.inspect\b/,
    message: leftOver('`IO.inspect`'),
  },
];
