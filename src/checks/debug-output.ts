import type { LineCheck } from './check.js';
import { type CodePattern, judgePatterns } from './code-pattern.js';

/**
 * Output that was only meant for the author. Errors and warnings on the console are fine, and so is
 * everything in tests, scripts and command-line tools, which are meant to print. `print` of Python and
 * Swift and Go's `fmt` look like real output, so they aren't reported.
 */
export const debugOutput: LineCheck = {
  rules: { 'debug-output': 'info' },
  guards: false,
  open: (file, view) => {
    const judge = judgePatterns({ file, view }, PATTERNS, {
      rule: 'debug-output',
      applies: role => !role.mayPrint,
      allowedBy: ['no-console', 'noConsole'],
      isFineInDebugBuilds: true,
    });
    if (judge === undefined) return undefined;
    let prints = false;
    return line => {
      // An executable script, or a module with its own console.
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
  `${what} looks like leftover debug output. Remove it or use the project's logger.`;

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
    languages: ['swift'],
    hints: ['debugPrint(', 'dump(', '_printChanges', '_logChanges'],
    pattern: /(?<![\w.]|func )(?:Swift\.)?(?:debugPrint|dump)\(|\bSelf\._(?:print|log)Changes\(\)/,
    message: leftOver('This call'),
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
